"""The discriminability study: how much do score distributions separate models, over time?

in:  resources/discriminability/*.csv or the user's leaderboard, config section discriminability
out: results/discriminability/{monthly,changes,bin_choice,bin_choice_summary,growth,
     population,retirement,first_due,index_over_time,agreement,pace,quantities}.csv,
     results/discriminability/inputs/, results/discriminability/tables/,
     results/figures/discriminability/
"""

from studies.discriminability import names as discriminability_names

DISCRIMINABILITY = config["discriminability"]
# The paper's claims are about monthly windows of the two Open LLM Leaderboards.
DISCRIMINABILITY_ON_PAPER_DATA = (
    not DISCRIMINABILITY["leaderboard"] and DISCRIMINABILITY["window"] == "month"
)
SUMMARY = discriminability_names.SUMMARY
MONTHLY = {name: f"{name}_monthly.csv" for name in SUMMARY} | {"dropped": "dropped.csv"}
# The study runs from the summary of the user's own leaderboard, or from the embedded one, with what
# the paper counts by the models' names, which the summary does not hold.
if DISCRIMINABILITY["leaderboard"]:
    SUMMARY_FILES = {
        name: f"results/discriminability/leaderboards/{file}"
        for name, file in MONTHLY.items()
    }
else:
    SUMMARY_FILES = {
        name: shipped(f"resources/discriminability/{file}")
        for name, file in [*MONTHLY.items(), ("families", "families.csv")]
    }
# Measured: 0.25 GB at 10,000 rows, 0.53 at a million, of which the table takes 60 MB; seconds.
DISCRIMINABILITY_FILES = [
    DISCRIMINABILITY["leaderboard"],
    DISCRIMINABILITY["benchmarks"],
]
DISCRIMINABILITY_RESOURCES = {
    "mem_mb": growing(1000, 30, DISCRIMINABILITY_FILES),
    "runtime": growing(10, 1, DISCRIMINABILITY_FILES),
}
STATUS_TABLES = [1] if DISCRIMINABILITY["leaderboard"] else [1, 2]


rule discriminability_sources:
    """Make the embedded tables: the two leaderboards' summary, and what the author released."""
    input:
        v1="results/sources/open_llm_v1.csv",
        v2="results/sources/open_llm_v2.csv",
        author_monthly="results/sources/bdi_author_monthly.csv",
        author_fits="results/sources/bdi_author_fits.json",
    output:
        **{
            name: f"results/discriminability/sources/{file}"
            for name, file in MONTHLY.items()
        },
        families="results/discriminability/sources/families.csv",
        author_monthly="results/discriminability/sources/author_monthly.csv",
        author_fits="results/discriminability/sources/author_fits.csv",
    log:
        "results/logs/discriminability/sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("discriminability/sources.py"),
    script:
        "../scripts/discriminability/sources.py"


rule discriminability_leaderboards:
    """Check and summarise a user's own leaderboard into the same tables as the embedded ones."""
    input:
        leaderboard=local(DISCRIMINABILITY["leaderboard"] or []),
    output:
        # update(): a table that fails its checks leaves the earlier, valid results in place.
        **{
            name: update(f"results/discriminability/leaderboards/{file}")
            for name, file in MONTHLY.items()
        },
    log:
        "results/logs/discriminability/leaderboards.log",
    priority: CHECKS_TABLES
    conda:
        "../../envs/environment.yaml"
    resources:
        **DISCRIMINABILITY_RESOURCES,
    params:
        code=code("discriminability/leaderboards.py"),
        layout=DISCRIMINABILITY["layout"],
        score_range=DISCRIMINABILITY["score_range"],
        on_bad_rows=DISCRIMINABILITY["on_bad_rows"],
    script:
        "../scripts/discriminability/leaderboards.py"


rule discriminability_study:
    """Compute every metric of every window, what follows from them, and the headline numbers."""
    input:
        **SUMMARY_FILES,
        benchmarks=own_or_shipped(
            DISCRIMINABILITY["benchmarks"], "resources/discriminability/benchmarks.csv"
        ),
        author_monthly=shipped("resources/discriminability/author_monthly.csv"),
        author_fits=shipped("resources/discriminability/author_fits.csv"),
    output:
        # update(): a table that fails its checks leaves the earlier, valid results in place.
        **{
            f"inputs_{name}": update(f"results/discriminability/inputs/{name}.csv")
            for name in discriminability_names.WINDOWS
        },
        **{
            name: update(f"results/discriminability/{name}.csv")
            for name in discriminability_names.TABLES
        }
        | {
            name: reported(
                update(f"results/discriminability/{name}.csv"),
                "discriminability",
                *page,
            )
            for name, page in discriminability_names.PAGES.items()
        },
        **{
            f"table_{number}": reported(
                update(f"results/discriminability/tables/table_{number}.csv"),
                "discriminability",
                *(f"table {number}", "Status", "tables"),
            )
            for number in STATUS_TABLES
        },
    log:
        "results/logs/discriminability/study.log",
    priority: CHECKS_TABLES
    conda:
        "../../envs/environment.yaml"
    resources:
        **DISCRIMINABILITY_RESOURCES,
    params:
        code=code("discriminability/study.py"),
        settings=DISCRIMINABILITY,
        seed=config["seed"],
    script:
        "../scripts/discriminability/study.py"


rule discriminability_figures:
    """Draw the figures of the discriminability study, each as PNG, PDF and SVG."""
    input:
        **{
            name: f"results/discriminability/{name}.csv"
            for name in discriminability_names.DRAWN
        },
    output:
        drawn("discriminability", "discriminability", discriminability_names.FIGURES),
    log:
        "results/logs/discriminability/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **DISCRIMINABILITY_RESOURCES,
    params:
        code=code("discriminability/figures.py"),
    script:
        "../scripts/discriminability/figures.py"


rule discriminability:
    """How much score distributions separate models over time."""
    input:
        rules.discriminability_study.output,
        rules.discriminability_figures.output,


offer(
    "discriminability",
    targets=rules.discriminability.input,
    quantities={
        "discriminability": "results/discriminability/quantities.csv",
        "author": "results/discriminability/author.csv",
    },
    judged=DISCRIMINABILITY_ON_PAPER_DATA,
)
