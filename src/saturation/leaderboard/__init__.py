"""One leaderboard: its files, its top and who in it is told apart."""
