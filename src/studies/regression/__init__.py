"""The joint regression of the index on a benchmark's properties."""
