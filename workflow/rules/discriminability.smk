"""The discriminability study: how much do score distributions tell models apart, over time?

in:  resources/discriminability/*.csv or the user's leaderboard, config section discriminability
out: results/discriminability/{monthly,changes,bin_choice,bin_choice_summary,growth,backtests,
     population,dynamic,retirement,first_due,index_over_time,agreement,pace,kinds,quantities}.csv,
     results/discriminability/inputs/, results/discriminability/tables/,
     results/figures/discriminability/
"""

from saturation.discriminability import names as discriminability_names

DISCRIMINABILITY = config["discriminability"]
# The paper's claims are about monthly windows of the two Open LLM Leaderboards.
DISCRIMINABILITY_ON_PAPER_DATA = (
    not DISCRIMINABILITY["leaderboard"] and DISCRIMINABILITY["window"] == "month"
)
SUMMARY = discriminability_names.SUMMARY
# The study runs from the embedded summary, or from that of the user's own leaderboard.
SUMMARY_FILES = (
    {
        name: f"results/discriminability/leaderboards/{name}_monthly.csv"
        for name in SUMMARY
    }
    | {"dropped": "results/discriminability/leaderboards/dropped.csv"}
    if DISCRIMINABILITY["leaderboard"]
    else {
        name: shipped(f"resources/discriminability/{name}_monthly.csv")
        for name in SUMMARY
    }
    | {"dropped": shipped("resources/discriminability/dropped.csv")}
)
# What the paper counts by the models' names, which the summary does not hold.
FAMILIES = (
    {}
    if DISCRIMINABILITY["leaderboard"]
    else {"families": shipped("resources/discriminability/families.csv")}
)
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
    """Summarise the two pinned Open LLM Leaderboard exports; the embedded tables are this result."""
    input:
        v1="results/sources/open_llm_v1.csv",
        v2="results/sources/open_llm_v2.csv",
    output:
        **{
            name: f"results/discriminability/sources/{name}_monthly.csv"
            for name in SUMMARY
        },
        dropped="results/discriminability/sources/dropped.csv",
        families="results/discriminability/sources/families.csv",
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
        leaderboard=DISCRIMINABILITY["leaderboard"] or [],
    output:
        # update(): a table that fails its checks leaves the earlier, valid results in place.
        **{
            name: update(f"results/discriminability/leaderboards/{name}_monthly.csv")
            for name in SUMMARY
        },
        dropped=update("results/discriminability/leaderboards/dropped.csv"),
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
        **FAMILIES,
        benchmarks=DISCRIMINABILITY["benchmarks"]
        or shipped("resources/discriminability/benchmarks.csv"),
        author_monthly=shipped("resources/discriminability/author_monthly.csv"),
        author_fits=shipped("resources/discriminability/author_fits.csv"),
        lock=LOCK,
    output:
        # update(): a table that fails its checks leaves the earlier, valid results in place.
        **{
            f"inputs_{name}": update(f"results/discriminability/inputs/{name}.csv")
            for name in discriminability_names.WINDOWS
        },
        **{
            name: update(f"results/discriminability/{name}.csv")
            for name in discriminability_names.TABLES
        },
        **{
            f"{name}_html": report(
                update(f"results/discriminability/{name}.html"),
                caption=f"../report/discriminability/{page.caption}.rst",
                category=CATEGORY["discriminability"],
                subcategory=page.section,
                labels={"item": page.label},
            )
            for name, page in discriminability_names.PAGES.items()
        },
        **{
            f"table_{number}_{suffix}": update(
                f"results/discriminability/tables/table_{number}.{suffix}"
            )
            for number in STATUS_TABLES
            for suffix in ["csv", "md"]
        },
        **{
            f"table_{number}_html": report(
                update(f"results/discriminability/tables/table_{number}.html"),
                caption="../report/discriminability/tables.rst",
                category=CATEGORY["discriminability"],
                subcategory="Status",
                labels={"item": f"table {number}"},
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
        monthly="results/discriminability/monthly.csv",
        changes="results/discriminability/changes.csv",
        growth="results/discriminability/growth.csv",
        pace="results/discriminability/pace.csv",
        index_over_time="results/discriminability/index_over_time.csv",
        bin_choice="results/discriminability/bin_choice.csv",
        bin_choice_summary="results/discriminability/bin_choice_summary.csv",
        population="results/discriminability/population.csv",
        retirement="results/discriminability/retirement.csv",
    output:
        [
            report(
                f"results/figures/discriminability/{name}.png",
                caption=f"../report/discriminability/{name}.rst",
                category=CATEGORY["discriminability"],
                subcategory=subcategory,
                labels={"item": label},
            )
            for name, (subcategory, label) in discriminability_names.FIGURES.items()
        ],
        expand(
            "results/figures/discriminability/{name}.{suffix}",
            name=discriminability_names.FIGURES,
            suffix=["pdf", "svg"],
        ),
    log:
        "results/logs/discriminability/figures.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        **DISCRIMINABILITY_RESOURCES,
    params:
        code=code("discriminability/figures.py"),
        bins=DISCRIMINABILITY["bins"],
    script:
        "../scripts/discriminability/figures.py"


rule discriminability_author_sources:
    """The author's released monthly table and fits, with what the paper's numbers rest on."""
    input:
        monthly="results/sources/bdi_author_monthly.csv",
        fits="results/sources/bdi_author_fits.json",
    output:
        monthly="results/discriminability/sources/author_monthly.csv",
        fits="results/discriminability/sources/author_fits.csv",
    log:
        "results/logs/discriminability/author_sources.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("discriminability/author_sources.py"),
    script:
        "../scripts/discriminability/author_sources.py"


rule discriminability:
    """How much score distributions tell models apart over time."""
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
