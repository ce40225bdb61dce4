"""The ledger: what the papers print beside what is computed here.

in:  resources/ledger/STUDY.csv, each study's quantities.csv
out: results/ledger/{ledger,summary}.csv, results/ledger/{ledger.html,summary.md}
"""

# Where each study of the ledger keeps its headline numbers.
LEDGER_QUANTITIES = {
    "plateau": "results/plateau/quantities.csv",
}


rule ledger:
    input:
        claims=[own(f"resources/ledger/{study}.csv") for study in LEDGER_QUANTITIES],
        quantities=list(LEDGER_QUANTITIES.values()),
        code=code("ledger/ledger.py"),
    output:
        ledger="results/ledger/ledger.csv",
        html=report(
            "results/ledger/ledger.html",
            caption="../report/ledger/ledger.rst",
            category="5 Ledger",
            labels={"item": "ledger", "kind": "table"},
        ),
        summary="results/ledger/summary.csv",
        markdown="results/ledger/summary.md",
    log:
        "results/logs/ledger/ledger.log",
    benchmark:
        "results/benchmarks/ledger/ledger.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/ledger/ledger.py"
