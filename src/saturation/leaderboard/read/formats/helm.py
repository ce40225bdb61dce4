"""HELM: ``per_instance_stats.json`` (an entry an instance) and ``stats.json`` (a metric each)."""

from collections.abc import Mapping
from typing import Any

from saturation.leaderboard.names import HELM_RUN
from saturation.leaderboard.read import open, rows
from saturation.leaderboard.read.registry import Importer, Records, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

# The statistic that counts a split's instances.
COUNTED = "num_instances"


def per_instance_stats(numbered: Records, choice: Choice, origin: Origin) -> Imported:
    """Return item responses out of a run's instances.

    Perturbations of an instance become configurations, train trials become runs. An instance whose
    statistic has no mean (nothing was counted) gives no response.
    """
    model = origin.model or _model_beside(origin)
    latest: dict[tuple[str, str, str], tuple[int, Any]] = {}
    metrics: dict[str, None] = {}
    splits: dict[str, None] = {}
    empty = 0
    for number, instance in numbered:
        for stat in instance["stats"]:
            name, split = str(stat["name"]["name"]), str(stat["name"].get("split", ""))
            metrics.setdefault(name)
            if choice.metric not in (None, name):
                continue
            splits.setdefault(split)
            if choice.filter not in (None, split):
                continue
            if stat.get("mean") is None:
                empty += 1
                continue
            key = (
                str(instance["instance_id"]),
                str((instance.get("perturbation") or {}).get("name", "")),
                str(instance.get("train_trial_index", "")),
            )
            latest[key] = (number, stat["mean"])
    metric = rows.choose(choice, "metric", metrics, origin)
    rows.choose(choice, "filter", splits, origin, what="splits")
    responses = [
        Response(model, item, value, run=run, configuration=configuration, row=number)
        for (item, configuration, run), (number, value) in latest.items()
    ]
    notes = [f"{empty} instances without a value were left out"] if empty else []
    return Imported(responses=responses, notes=notes, **rows.bounds_of(metric)._asdict())


def stats(numbered: Records, choice: Choice, origin: Origin) -> Imported:
    """Read a score from a run's aggregate statistics; skip statistics of perturbed instances.

    The number of instances is the run's own statistic of that name.
    """
    means = {
        (str(stat["name"]["name"]), str(stat["name"].get("split", ""))): stat.get("mean")
        for _, stat in numbered
        if not stat["name"].get("perturbation") and stat.get("mean") is not None
    }
    metrics = [name for name, _ in means if name != COUNTED]
    metric = rows.choose(choice, "metric", metrics, origin)
    splits = [split for name, split in means if name == metric]
    split = rows.choose(choice, "filter", splits, origin, what="splits")
    score = Score(
        model=origin.model or _model_beside(origin),
        score=means[metric, split],
        metric=metric,
        n_items=means.get((COUNTED, split)),
        **rows.bounds_of(metric)._asdict(),
    )
    return Imported(scores=[score])


def _model_beside(origin: Origin) -> str:
    """Return the model's name from the run's specification, else from the run's folder."""
    path = origin.path.with_name(HELM_RUN)
    run_spec = (path.is_file() and open.parse_beside(path)) or {}
    adapter = run_spec.get("adapter_spec") or {}
    if model := adapter.get("model") or adapter.get("model_deployment"):
        return str(model)
    for argument in origin.path.parent.name.replace(":", ",").split(","):
        if argument.startswith("model="):
            return argument.removeprefix("model=")
    raise rows.nameless(
        origin.file, f"neither {HELM_RUN} beside it nor its folder's name gives the model"
    )


FORMATS = (
    Importer(
        "helm",
        "HELM per_instance_stats",
        Shape.LIST,
        per_instance_stats,
        keys=("instance_id", "stats"),
    ),
    Importer(
        "helm_stats",
        "HELM stats",
        Shape.LIST,
        stats,
        keys=("name", "count", "sum"),
        accepts=lambda stat: isinstance(stat["name"], Mapping) and "name" in stat["name"],
        holds="the metric's name and split",
    ),
)
