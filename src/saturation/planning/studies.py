"""The studies of this project, in one table: what is added here is planned, configured and judged.

A study NAME has its rules in ``workflow/rules/NAME.smk``, its part of the config's schema in
``workflow/schemas/NAME.schema.yaml`` and its claims, if any, in
``resources/ledger/claims/NAME.csv``.
"""

# By name, each after those it builds on: the report's category, which sorts by its number.
STUDIES = {
    "plateau": "1 Plateau",
    "discriminability": "2 Discriminability",
    "robustness": "4 Robustness",
    "adaptive": "3 Adaptive",
    "forecast": "5 Forecast",
    "regression": "1 Plateau",
    "multiverse": "6 Multiverse",
    "boards": "0 Real boards",
}
# The report's categories of everything that has some, the studies among them.
CATEGORY = {
    **STUDIES,
    "ledger": "7 Ledger",
    "own": "9 Your own benchmark",
}
