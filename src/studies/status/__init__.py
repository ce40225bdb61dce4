"""Figures of the status table."""
