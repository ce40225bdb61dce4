"""Checks of the embedded tables against the sources that they were taken from.

in:  results/sources/plateau_annotations.csv, resources/plateau/*.csv
out: results/plateau/verification.csv
"""


rule verify_annotations:
    input:
        sheet="results/sources/plateau_annotations.csv",
        benchmarks=own("resources/plateau/benchmarks.csv"),
        top_scores=own("resources/plateau/top_scores.csv"),
        code=code("plateau/verify_annotations.py"),
    output:
        "results/plateau/verification.csv",
    log:
        "results/logs/plateau/verify_annotations.log",
    benchmark:
        "results/benchmarks/plateau/verify_annotations.tsv"
    conda:
        ENVIRONMENT
    threads: 1
    script:
        "../scripts/plateau/verify_annotations.py"


rule verify:
    input:
        "results/plateau/verification.csv",
