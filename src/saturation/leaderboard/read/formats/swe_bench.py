"""SWE-bench: the leaderboards' JSON and a run's report."""

from collections.abc import Mapping

from saturation.errors import InputError
from saturation.leaderboard.read import rows
from saturation.leaderboard.read.columns import words_set
from saturation.leaderboard.read.registry import Content, Importer, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

# Lists of a report whose instances are not resolved, whatever kept them from it.
FAILED = words_set(
    "unresolved_ids error_ids empty_patch_ids incomplete_ids submitted_ids completed_ids"
)


def repository(instance: str) -> str:
    """Return the repository of an instance: its name up to the last hyphen, empty without one.

    Examples
    --------
    >>> repository("scikit-learn__scikit-learn-10297")
    'scikit-learn__scikit-learn'
    """
    return instance.rpartition("-")[0]


def leaderboards(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return the systems of a leaderboard: item responses if present, else the share.

    A share is one of the instances that the other systems list, if all list the same number.
    """
    boards = {str(board["name"]): board["results"] for board in content["leaderboards"]}
    name = rows.choose(choice, "task", boards, origin, what="leaderboards")
    systems = Imported(**rows.SHARE._asdict())
    listed = [len(system.get("per_instance_details") or []) for system in boards[name]]
    sizes = set(listed) - {0}
    (n_items,) = sizes if len(sizes) == 1 else (None,)
    if n_items is not None and 0 in listed:
        systems.notes = [
            f"{listed.count(0)} systems without instances are taken to have those of the others: "
            f"{n_items}"
        ]
    responses: list[Response] = []
    keys = [(system["name"], system.get("date")) for system in boards[name]]
    for place, (key, system) in enumerate(zip(keys, boards[name]), start=1):
        # The folder tells apart what name and date do not.
        model = str(key[0]) + f" [{system.get('folder')}]" * (keys.count(key) > 1)
        date = origin.date or system.get("date")
        if instances := system.get("per_instance_details"):
            responses += [
                Response(
                    model,
                    str(instance),
                    bool(result["resolved"]),
                    repository(str(instance)),
                    row=place,
                    date=date,
                )
                for instance, result in instances.items()
            ]
            continue
        systems.scores.append(
            Score(
                model,
                system["resolved"],
                "resolved",
                name,
                n_items=n_items,
                date=date,
                row=place,
                **rows.PERCENT._asdict(),
            )
        )
    systems.responses = responses
    return systems


def report(content: Content, _choice: Choice, origin: Origin) -> Imported:
    """Return item responses out of a run's report: an instance that is not resolved counts as 0."""
    model = origin.model or origin.path.stem.rpartition(".")[0].replace("__", "/")
    if not model:
        raise rows.nameless(origin.file, "neither the file nor its name gives the model")
    right = {str(instance) for instance in content["resolved_ids"]}
    listed = right | {str(instance) for name in FAILED for instance in content.get(name) or []}
    if len(listed) != content["total_instances"]:
        raise InputError(
            f"{origin.file}: the report lists {len(listed)} instances of "
            f"{content['total_instances']}; write it again with a version of the harness that "
            "lists the incomplete ones"
        )
    responses = [
        Response(model, name, float(name in right), repository(name)) for name in sorted(listed)
    ]
    return Imported(responses=responses, **rows.SHARE._asdict())


FORMATS = (
    Importer(
        "swe_bench_leaderboards",
        "SWE-bench leaderboards",
        Shape.DOCUMENT,
        leaderboards,
        keys=("leaderboards",),
        accepts=lambda content: (
            isinstance(content["leaderboards"], list)
            and all(
                isinstance(board, Mapping) and {"name", "results"} <= set(board)
                for board in content["leaderboards"]
            )
        ),
        holds="a list with name and results of each",
        tasks=lambda content, *_: [str(board["name"]) for board in content["leaderboards"]],
    ),
    Importer(
        "swe_bench_report",
        "a SWE-bench run's report",
        Shape.DOCUMENT,
        report,
        keys=("resolved_ids", "total_instances"),
    ),
)
