"""The ledger: what the papers print beside what is computed here.

in:  resources/ledger/STUDY.csv, quantities.csv of each study in the config section ledger
out: results/ledger/{ledger,summary}.csv, results/ledger/{ledger.html,summary.md}
"""

# Where each study keeps its headline numbers. The claims are about the papers' own data and settings:
# a study that runs on others has no rows in the ledger.
LEDGER_QUANTITIES = {
    study: quantities
    for study, quantities, on_paper_data in [
        ("plateau", "results/plateau/quantities.csv", PLATEAU_AS_IN_PAPER),
        (
            "discriminability",
            "results/discriminability/quantities.csv",
            DISCRIMINABILITY_ON_PAPER_DATA,
        ),
        # Its claims rest on the paper's embedded tables alone, whatever the predictions are.
        ("robustness", "results/robustness/quantities.csv", True),
        # What its data cannot decide stays in the ledger as undecidable.
        ("adaptive", "results/adaptive/quantities.csv", True),
        (
            "regression",
            f"{REGRESSION_RESULTS}/quantities.csv",
            REGRESSION_AS_IN_PAPER,
        ),
        (
            "multiverse",
            "results/multiverse/reduced/quantities.csv",
            PLATEAU_ON_PAPER_DATA,
        ),
    ]
    if on_paper_data and study in config["ledger"]["studies"]
}

# Which of the adaptive study's claims can be decided depends on the data sets in the run.
LEDGER_CLAIMS = {"adaptive": "results/adaptive/claims/adaptive.csv"}


rule ledger:
    input:
        claims=[
            LEDGER_CLAIMS.get(study) or shipped(f"resources/ledger/{study}.csv")
            for study in LEDGER_QUANTITIES
        ],
        quantities=list(LEDGER_QUANTITIES.values()),
        code=code("ledger/ledger.py"),
    output:
        ledger="results/ledger/ledger.csv",
        html=report(
            "results/ledger/ledger.html",
            caption="../report/ledger/ledger.rst",
            category="5 Ledger",
            labels={"item": "ledger"},
        ),
        summary="results/ledger/summary.csv",
        markdown="results/ledger/summary.md",
    log:
        "results/logs/ledger/ledger.log",
    benchmark:
        "results/costs/ledger/ledger.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/ledger/ledger.py"
