"""Names and constants of the study that its modules, the rules and the config's check share.

Plain Python, so that planning the workflow need not wait for pandas.
"""

import re

TOP = 20
SUMMARY = ("bins", "top", "population", "submitters")

# What scopes are called in the results.
SCOPES = ("window", "so_far")

# What the study's one job writes beside the paper's tables.
TABLES = (
    "dropped",
    "monthly",
    "changes",
    "bin_choice",
    "bin_choice_summary",
    "growth",
    "population",
    "retirement",
    "first_due",
    "index_over_time",
    "agreement",
    "pace",
    "quantities",
    "author",
)
# Tables of the windows, in the folder ``inputs``, from which the others are made.
WINDOWS = ("bins", "top", "windows", "population", "submitters", "benchmarks")

# Tables that are items of the report too: label, section and caption there.
PAGES = {
    "monthly": ("monthly metrics", "Tables", "monthly"),
    "changes": ("change over time", "Tables", "changes"),
    "growth": ("logistic fits", "Growth", "growth"),
    "population": ("fixed population", "Tables", "fixed_population"),
    "first_due": ("retirement test", "Status", "first_due"),
    "agreement": ("agreement with S", "Tables", "agreement"),
}
# The tables that figures are drawn from.
DRAWN = ("monthly", "changes")
# Each figure with its section in the report and its label there.
FIGURES = {
    "figure1_trajectories": ("Trajectories", "Best scores by month (Figure 1)"),
    "figure2_bdi": ("Discriminability", "The index by month (Figure 2)"),
    "figure4_status": ("Status", "Status of each benchmark (Figure 4)"),
}

# The paper's lines, as proportions, and what its sentences are about.
SATURATED = 0.85  # ceiling proximity of a saturated benchmark (Figure 4)
WARNING = 0.70  # ceiling proximity of a warning (Figure 4)
NOISE_GAP = 0.01  # mean gap below which the top models are not separated (Figure 5)
LOST_MOST = ("HellaSwag", "Winogrande", "ARC")  # of leaderboard v1: whose loss the abstract gives
LATE_2023 = "2023-12"  # section 7.1: by when two benchmarks were due for retirement


def prefix(leaderboard: object, benchmark: object = "") -> str:
    """Return the prefix of quantities: ``v2`` and ``MATH Lvl 5`` give ``v2_math_lvl_5``.

    Examples
    --------
    >>> prefix("v2", "MATH Lvl 5")
    'v2_math_lvl_5'
    """
    return re.sub(r"[^a-z0-9]+", "_", f"{leaderboard}_{benchmark}".lower()).strip("_")
