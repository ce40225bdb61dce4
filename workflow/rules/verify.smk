"""Checks of the embedded tables against the sources that they were taken from.

in:  results/sources/plateau_annotations.csv, resources/plateau/*.csv,
     results/discriminability/sources/*.csv, resources/discriminability/*.csv
out: results/plateau/verification.csv, results/discriminability/verification.csv
"""


rule verify_annotations:
    input:
        sheet="results/sources/plateau_annotations.csv",
        benchmarks=shipped("resources/plateau/benchmarks.csv"),
        top_scores=shipped("resources/plateau/top_scores.csv"),
        code=code("plateau/verify_annotations.py"),
    output:
        "results/plateau/verification.csv",
    log:
        "results/logs/plateau/verify_annotations.log",
    benchmark:
        "results/costs/plateau/verify_annotations.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/plateau/verify_annotations.py"


rule verify_discriminability:
    input:
        computed=[*rules.discriminability_sources.output],
        embedded=[
            *[
                shipped(f"resources/discriminability/{name}_monthly.csv")
                for name in SUMMARY
            ],
            shipped("resources/discriminability/dropped.csv"),
        ],
        code=code("discriminability/verify.py"),
    output:
        "results/discriminability/verification.csv",
    log:
        "results/logs/discriminability/verify.log",
    benchmark:
        "results/costs/discriminability/verify.tsv"
    conda:
        ENVIRONMENT
    script:
        "../scripts/discriminability/verify.py"


rule verify:
    input:
        "results/plateau/verification.csv",
        "results/discriminability/verification.csv",
