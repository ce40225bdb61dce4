"""The dashboard: all benchmarks, the user's own among them, on one page that needs no network.

in:  results/plateau/{inputs/*,index,intervals}.csv, results/discriminability/monthly.csv,
     results/forecast/reach.csv, results/ledger/{ledger,evidence}.csv,
     results/own/benchmarks/NAME/card.json
out: results/dashboard/index.html
"""


rule dashboard:
    input:
        benchmarks="results/plateau/inputs/benchmarks.csv",
        top_scores="results/plateau/inputs/top_scores.csv",
        index="results/plateau/index.csv",
        intervals="results/plateau/intervals.csv",
        monthly="results/discriminability/monthly.csv",
        reach=rules.forecast_backtest.output.reach,
        ledger="results/ledger/ledger.csv" if JUDGED else [],
        evidence="results/ledger/evidence.csv" if JUDGED else [],
        cards=expand(
            "results/own/benchmarks/{benchmark}/card.json",
            benchmark=sorted(OWN_BENCHMARKS),
        ),
        html=shipped("workflow/templates/dashboard.html.j2"),
        css=shipped("workflow/templates/dashboard.css"),
        js=shipped("workflow/templates/dashboard.js"),
        lock=LOCK,
    output:
        # Not an item of the report, which embeds its items as addresses of at most 2 MiB: its front
        # page says where the file is.
        "results/dashboard/index.html",
    params:
        settings={
            key: config["plateau"][key]
            for key in ("k", "alpha", "saturated_from", "observed_on")
        },
    script:
        "../scripts/dashboard/dashboard.py"
