"""Compare what the papers print with what this project computes."""
