"""Name the embedded item banks; plain Python, which planning reads without pandas."""

# Boards whose respondents' families are known, with the table that says them.
RESPONDENTS = {
    **dict.fromkeys(
        (
            *("nlu_arc_challenge", "nlu_arc_easy", "nlu_boolq", "nlu_commonsenseqa"),
            *("nlu_hellaswag", "nlu_piqa", "nlu_snli", "nlu_socialiqa", "nlu_winogrande"),
        ),
        "nlu_respondents",
    ),
    "livebench": "livebench_respondents",
}
