"""The ledger: what the papers print, the evidence on it, and what follows.

in:  resources/ledger/claims/PAPER.csv, resources/ledger/evidence/PAPER.csv,
     quantities.csv of each study in the config section ledger
out: results/ledger/{ledger,evidence,summary,grades}.csv, results/ledger/summary.md
"""

# The claims are about the papers' own data and settings: a study that runs on others has no rows.
JUDGED = [offered for offered in OFFERS.values() if offered["judged"]]
JUDGED_PAPERS = list(dict.fromkeys(offered["paper"] for offered in JUDGED))
JUDGED_QUANTITIES = {
    study: path for offered in JUDGED for study, path in offered["quantities"].items()
}
# Where quantities are made: the ledger says of each from which line of code it comes.
LEDGER_MAKERS = [
    shipped(module.relative_to(ROOT))
    for module in sorted(SOURCE.glob("*/*/*.py"))
    if b"Quantity(" in module.read_bytes()
]


rule ledger:
    """Judge every paper's claims by the evidence on them; write the ledger and its summaries."""
    input:
        claims=[
            shipped(f"resources/ledger/claims/{paper}.csv") for paper in JUDGED_PAPERS
        ],
        evidence=[
            shipped(f"resources/ledger/evidence/{paper}.csv")
            for paper in JUDGED_PAPERS
        ],
        quantities=list(JUDGED_QUANTITIES.values()),
        studies=shipped("resources/ledger/studies.csv"),
        makers=LEDGER_MAKERS,
    output:
        ledger=reported("results/ledger/ledger.csv", "ledger", "Every claim"),
        evidence="results/ledger/evidence.csv",
        summary=reported("results/ledger/summary.csv", "ledger", "Counts by paper"),
        grades="results/ledger/grades.csv",
        markdown="results/ledger/summary.md",
    log:
        "results/logs/ledger/ledger.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("ledger/ledger.py"),
        papers=JUDGED_PAPERS,
        names=list(JUDGED_QUANTITIES),
    script:
        "../scripts/ledger/ledger.py"
