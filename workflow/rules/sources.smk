"""Pinned public data, fetched and checked.

in:  resources/sources.csv, a local mirror or the network
out: results/sources/NAME.SUFFIX, as the source is called
"""

# A damaged copy of an earlier run is set aside, so that it is fetched again.
for damaged in run.set_aside(Path("results/sources"), ROOT / "resources/sources.csv"):
    logger.warning(f"{damaged}: its sha256 is not the pinned one; it is fetched again")


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
