"""Pinned public data, fetched and checked.

in:  resources/sources.csv, a local mirror or the network
out: results/sources/NAME.SUFFIX, as the source is called
"""


rule sources_fetch:
    """Fetch one pinned source from the mirror or its URL; its sha256 is checked before use."""
    input:
        registry=shipped("resources/sources.csv"),
    output:
        "results/sources/{source}.{suffix}",
    log:
        "results/logs/sources/fetch/{source}/{suffix}.log",
    wildcard_constraints:
        source=r"\w+",
        suffix=r"\w+",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/fetch.py"),
        mirror=config["sources"]["mirror"],
    script:
        "../scripts/sources/fetch.py"
