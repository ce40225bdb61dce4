"""Release notes: which differences that they print exceed their error?

in:  resources/releases/{claims,benchmarks,agreement}.csv, results/status/status.csv
out: results/releases/{claims,counts,quantities}.csv, results/figures/releases/; by releases_sources
     and releases_verify results/releases/sources/ and verification.csv
"""

from studies.releases.names import DOCUMENTS


rule releases_sources:
    """Take printed scores from the pinned documents, and agreement from the boards."""
    input:
        sources=[
            f"results/sources/{document.sources}" for document in DOCUMENTS.values()
        ],
        evaluations=BOARD_EVALUATIONS,
        responses=[BOARD_RESPONSES[board] for board in board_names.BOARDS],
    output:
        claims="results/releases/sources/claims.csv",
        agreement="results/releases/sources/agreement.csv",
    log:
        "results/logs/releases/sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("releases/sources.py"),
        settings={"least_coverage": BOARDS["least_coverage"]},
    script:
        "../scripts/releases/sources.py"


rule releases_verify:
    """Compare the embedded scores and agreement with those made from the sources, cell by cell."""
    input:
        computed=[*rules.releases_sources.output],
        embedded=[
            shipped("resources/releases/claims.csv"),
            shipped("resources/releases/agreement.csv"),
        ],
    output:
        "results/releases/verification.csv",
    log:
        "results/logs/releases/verify.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("sources/verify.py", "releases"),
    script:
        "../scripts/sources/verify.py"


rule releases_study:
    """Test every difference that release notes print between the new model and another."""
    input:
        claims=shipped("resources/releases/claims.csv"),
        status=rules.status_study.output.status,
        spellings=shipped("resources/releases/benchmarks.csv"),
        agreement=shipped("resources/releases/agreement.csv"),
    output:
        claims="results/releases/claims.csv",
        counts="results/releases/counts.csv",
        quantities="results/releases/quantities.csv",
        figures=drawn(
            "releases", "releases", {"claims": "Differences that release notes print"}
        ),
    log:
        "results/logs/releases/study.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("releases/study.py"),
        settings={
            "level": config["own"]["level"],
            "margin": config["own"]["meaningful_difference"],
            "ceiling": PLATEAU["ceiling"],
        },
    script:
        "../scripts/releases/study.py"


rule releases:
    """Which differences that release notes print exceed their error."""
    input:
        rules.releases_study.output,


offer(
    "releases",
    targets=rules.releases.input,
    quantities=rules.releases_study.output.quantities,
    judged=False,
)
