"""The dashboard: all benchmarks, boards, models and claims, on light pages that need no network.

in:  results/plateau/{inputs/*,index,intervals}.csv, results/discriminability/monthly.csv,
     results/status/status.csv, results/forecast/frontier.csv, results/boards/{overview,models,remarks}.csv,
     results/releases/claims.csv, results/suites/{rankings,tasks}.csv,
     results/ledger/{ledger,evidence}.csv with the quantities, claims and code behind them,
     results/own/benchmarks/NAME/card.json
out: results/dashboard/: index.html, the entry, and what it links
"""

DASHBOARD = "results/dashboard"
DASHBOARD_TEMPLATES = [
    *[
        f"{name}.html.j2"
        for name in (
            *("layout", "parts", "index", "time", "ledger", "paper", "benchmark"),
            *("models", "sources", "table", "code", "releases", "suites"),
        )
    ],
    "dashboard.css.j2",
    "dashboard.js",
]


rule dashboard:
    """Write the dashboard: light pages that hold their data, copies of the tables, and what draws."""
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        intervals="results/plateau/intervals.csv",
        monthly="results/discriminability/monthly.csv",
        status=rules.status_study.output.status,
        frontier=rules.forecast_study.output.frontier,
        overview=rules.boards_study.output.overview,
        models=rules.boards_study.output.models,
        remarks=rules.boards_study.output.remarks,
        releases=rules.releases_study.output.claims,
        rankings=rules.suites_study.output.rankings,
        tasks=rules.suites_study.output.tasks,
        preview="results/figures/status/overview.png",
        ledger="results/ledger/ledger.csv" if JUDGED else [],
        evidence="results/ledger/evidence.csv" if JUDGED else [],
        # What the evidence points to: each has a page, and a copy beside it.
        quantities=list(JUDGED_QUANTITIES.values()),
        claims=[
            shipped(f"resources/ledger/claims/{paper}.csv") for paper in JUDGED_PAPERS
        ],
        makers=LEDGER_MAKERS,
        sources=shipped("resources/sources.csv"),
        cards=expand(
            "results/own/benchmarks/{benchmark}/card.json",
            benchmark=sorted(OWN_BENCHMARKS),
        ),
        templates=[
            shipped(f"workflow/templates/dashboard/{file}")
            for file in DASHBOARD_TEMPLATES
        ],
    output:
        # Not an item of the report, which embeds its items as addresses of at most 2 MiB: its front
        # page says where the file is.
        entry=f"{DASHBOARD}/index.html",
        pages=[
            f"{DASHBOARD}/{page}.html"
            for page in (
                *("time", "ledger", "models", "sources", "releases", "suites"),
            )
        ],
        folders=[
            directory(f"{DASHBOARD}/{folder}")
            for folder in ("assets", "benchmarks", "papers", "data", "code")
        ],
    log:
        "results/logs/dashboard/dashboard.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        # The cards of all benchmarks are read at once.
        mem_mb=growing(1000 + len(OWN_BENCHMARKS), 200, PLATEAU_FILES),
        runtime=growing(10, 10, PLATEAU_FILES),
    params:
        code=code("dashboard/dashboard.py"),
        settings={
            key: config["plateau"][key]
            for key in ("k", "alpha", "saturated_from", "observed_on")
        },
    script:
        "../scripts/dashboard/dashboard.py"
