"""Pinned public data, fetched and checked.

in:  resources/sources.csv, a local mirror or the network
out: results/sources/NAME.csv
"""


rule source:
    input:
        registry=own("resources/sources.csv"),
        code=code("sources/fetch.py"),
    output:
        "results/sources/{source}.csv",
    log:
        "results/logs/sources/{source}.log",
    benchmark:
        "results/benchmarks/sources/{source}.tsv"
    conda:
        ENVIRONMENT
    params:
        mirror=config["sources"]["mirror"],
    script:
        "../scripts/sources/fetch.py"
