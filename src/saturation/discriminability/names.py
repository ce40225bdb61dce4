"""Names of a discriminability table's keys, and the bins in which scores are counted.

Plain Python, so that planning the workflow need not wait for pandas.
"""

KEYS = ["leaderboard", "benchmark", "month"]
BOARD = KEYS[:2]

# Fine enough that every configured number of BDI bins divides it, so all are formed exactly.
FINE_BINS = 300
