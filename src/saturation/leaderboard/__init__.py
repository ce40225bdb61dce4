"""One leaderboard: its files, its top and which of its models are separated."""
