"""The ledger: what the papers print beside what is computed here.

in:  resources/ledger/STUDY.csv, quantities.csv of each study in the config section ledger
out: results/ledger/{ledger,summary}.csv, results/ledger/{ledger.html,summary.md}
"""

# The claims are about the papers' own data and settings: a study that runs on others has no rows.
JUDGED = {study: offered for study, offered in OFFERS.items() if offered["judged"]}


rule ledger:
    input:
        claims=[offered["claims"] for offered in JUDGED.values()],
        quantities=[offered["quantities"] for offered in JUDGED.values()],
    output:
        ledger="results/ledger/ledger.csv",
        html=report(
            "results/ledger/ledger.html",
            caption="../report/ledger/ledger.rst",
            category=CATEGORY["ledger"],
            labels={"item": "ledger"},
        ),
        summary="results/ledger/summary.csv",
        markdown="results/ledger/summary.md",
    params:
        studies=list(JUDGED),
    script:
        "../scripts/ledger/ledger.py"
