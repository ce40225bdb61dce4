"""Take the scores that developers report from the pinned snapshot of llm-stats.com."""

import pandas as pd

from saturation.errors import InputError

REPORTS = "plateau_2026_llm_stats"
LISTED = 5  # best scores of a benchmark that are embedded, beside the newest


def reported(snapshot: pd.DataFrame, facts: pd.DataFrame) -> pd.DataFrame:
    """Return the best and the newest scores of the benchmarks that the table of facts names.

    Scores are proportions of the highest score of the benchmark; a model is dated by its release.
    """
    names = facts["reports"].dropna().str.split(";").explode()
    if missing := sorted(set(names) - set(snapshot["benchmark_name"])):
        raise InputError([f"{REPORTS}: no benchmark '{name}'" for name in missing])
    table = snapshot[snapshot["benchmark_name"].isin(names)]
    table = pd.DataFrame(
        {
            "report": table["benchmark_name"],
            "model": table["model_name"],
            "date": table["release_date"].fillna(table["announcement_date"]),
            # Some benchmarks with a highest score of 100 have proportions.
            "score": table["benchmark_score"].where(
                table["benchmark_score"] <= 1,
                table["benchmark_score"] / table["benchmark_max_score"],
            ),
        }
    ).dropna()
    best = table.sort_values(["score", "model"], ascending=[False, True])
    newest = table.sort_values(["date", "model"], ascending=[False, True])
    rows = pd.concat(
        [best.groupby("report").head(LISTED), newest.groupby("report").head(1)]
    ).drop_duplicates()
    return rows.sort_values(["report", "score", "model"], ascending=[True, False, True])
