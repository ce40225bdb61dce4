"""Old and new versions of a benchmark: linked scores, items to retire, drift, movement."""
