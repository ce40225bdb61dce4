"""The words that planning, config and statistics share; imports nothing, so that planning may."""

# Each conclusion with the title that figures give it, in the order of tables and figures.
TITLES = {
    "h1": "H1 public",
    "h2": "H2 English",
    "h3": "H3 not expert-curated",
    "h4": "H4 closed-ended",
    "h5": "H5 citations, raw",
    "h6": "H6 templated",
    "age": "Age",
    "test_size": "Test-set size",
    "adoption": "Citations, given age",
    "quality": "Quality issues",
}
ERROR_MODELS = ("independent", "pooled", "smoothed", "conservative")
TESTS = ("student", "robust", "rank", "permutation")
