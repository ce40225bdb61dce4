"""What every job of a run cost."""
