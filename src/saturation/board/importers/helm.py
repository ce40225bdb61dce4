"""HELM: ``per_instance_stats.json``, one entry an instance with its metrics."""

from collections.abc import Iterable, Mapping
from typing import Any

from saturation.board.importers.choosing import choose
from saturation.board.importers.metrics import known
from saturation.board.importers.rows import Choice, Imported, Origin, Response

Content = Mapping[str, Any]


def per_instance_stats(
    numbered: Iterable[tuple[int, Content]], choice: Choice, origin: Origin, model: str
) -> Imported:
    """Item responses out of a run's instances.

    Perturbations of an instance become configurations, train trials become runs. An instance whose
    statistic has no mean (nothing was counted) gives no response.

    Raises
    ------
    InputError
        If there are several metrics or splits and none was chosen.
    """
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
                _perturbation(instance) or origin.configuration,
                str(instance.get("train_trial_index", "")),
            )
            latest[key] = (number, stat["mean"])
    metric = choose(choice.metric, metrics, "metrics", "metric", origin.file)
    choose(choice.filter, splits, "splits", "filter", origin.file)
    responses = [
        Response(model, item, value, run=run, configuration=configuration, row=number)
        for (item, configuration, run), (number, value) in latest.items()
    ]
    notes = [f"{empty} instances without a value were left out"] if empty else []
    return Imported("helm", responses=responses, notes=notes, **known(metric)._asdict())


def model_name(run_spec: Content | None, folder: str) -> str | None:
    """The model as the run's specification gives it, else as the run's folder is named."""
    if run_spec is not None:
        adapter = run_spec.get("adapter_spec") or {}
        given = adapter.get("model") or adapter.get("model_deployment")
        if given:
            return str(given)
    parts = [part for part in folder.replace(":", ",").split(",") if part.startswith("model=")]
    return parts[0].removeprefix("model=") if parts else None


def _perturbation(instance: Content) -> str:
    return str((instance.get("perturbation") or {}).get("name", ""))
