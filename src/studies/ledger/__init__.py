"""The ledger: judge what the papers print against what this project computes."""
