"""Real leaderboards with the answer of every model to every item."""
