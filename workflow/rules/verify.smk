"""Checks of the embedded tables against the sources that they were taken from.

in:  results/sources/plateau_annotations.csv, resources/plateau/*.csv,
     results/discriminability/sources/*.csv, resources/discriminability/*.csv
out: results/plateau/verification.csv, results/discriminability/verification.csv
"""


rule plateau_verify:
    """Compare the embedded tables of the plateau study with the published sheet, cell by cell."""
    input:
        sheet="results/sources/plateau_annotations.csv",
        benchmarks=shipped("resources/plateau/benchmarks.csv"),
        top_scores=shipped("resources/plateau/top_scores.csv"),
    output:
        "results/plateau/verification.csv",
    log:
        "results/logs/plateau/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("plateau/verify.py"),
    script:
        "../scripts/plateau/verify.py"


rule discriminability_verify:
    """Compare the embedded summary with the one computed from the pinned sources, cell by cell."""
    input:
        computed=rules.discriminability_sources.output,
        embedded=[
            shipped(f"resources/discriminability/{name}.csv")
            for name in [f"{board}_monthly" for board in SUMMARY]
            + ["dropped", "families", "author_monthly", "author_fits"]
        ],
    output:
        "results/discriminability/verification.csv",
    log:
        "results/logs/discriminability/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/verify.py", "discriminability"),
    script:
        "../scripts/sources/verify.py"


rule verify:
    """Compare every embedded table with the source that it was taken from."""
    input:
        "results/plateau/verification.csv",
        "results/discriminability/verification.csv",
        rules.boards_verify.output,
        rules.renewal_verify.output,
        rules.review_verify.output,
        rules.forecast_verify.output,
        rules.status_verify.output,
        rules.robustness_verify.output,
        rules.releases_verify.output,
        rules.suites_verify.output,
