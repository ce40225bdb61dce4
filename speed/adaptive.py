"""Time, memory and fit of the adaptive study against other libraries, as ratios in one run.

    python speed/adaptive.py HELLASWAG.csv --peer-python PEERS/bin/python

The peers (envs/requirements-peers.in) live in an environment of their own, because they need
PyTorch; each fit runs in a process of its own, and imports and compilation are not timed. Ratios
are of processor time, which other work on the machine does not change. Without --peer-python what
was measured of the peers, and of the fits beside them, stays as the output has it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

ROOT = Path(__file__).resolve().parent.parent
MASKED = 0.1
EPOCHS = 1000
BANKS = ("hellaswag_90x5021", "synthetic_102x10042")
TEST_LENGTH = 500
# Processor seconds that a fit may take.
LONGEST = {"here": 200, "py_irt": 1200, "girth": 60}
REPEATS = 5
# Cells from which one fit takes long enough to be timed alone.
LARGE = 2_000_000
# Up to 20 million cells, and many respondents.
SIZES = ((450, 2250), (1000, 5000), (2000, 10000), (10000, 500))
TURNS = 3


def drawn(
    ability: np.ndarray, a: np.ndarray, b: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Answers under the two-parameter model."""
    from saturation.adaptive.model import probability

    chance = probability(ability, a, b)
    return (random.random(chance.shape) < chance).astype(np.int8)


def banks(hellaswag: Path) -> dict[str, np.ndarray]:
    """HellaSwag of the pinned sources, and a synthetic bank of the paper's size."""
    import pandas as pd

    random = np.random.default_rng(0)
    a, b = np.exp(random.normal(0, 0.5, 10042)), random.normal(0, 1, 10042)
    synthetic = drawn(random.normal(size=102), a, b, random)
    real = pd.read_csv(hellaswag, index_col=0).to_numpy(np.int8)
    return dict(zip(BANKS, (real, synthetic), strict=True))


def held_out(ability: np.ndarray, a: np.ndarray, b: np.ndarray, truth: np.ndarray) -> float:
    """Mean log-likelihood of the masked cells; `truth` holds -1 where a cell was not masked."""
    from scipy.special import log_expit

    from saturation.adaptive import model

    logit = model.log_odds(ability, a, b)
    cells = log_expit(np.where(truth == 1, logit, -logit))
    return float(cells[truth != model.MISSING].mean())


def fit_here(path: Path) -> None:
    """The study's fit, compiled beforehand; the mean of some repeats, since one takes a moment."""
    from saturation.adaptive import fit as item_fit

    responses = np.load(path)
    item_fit.fit(responses[:, :40])
    before, start, cpu = _peak_mb(), time.perf_counter(), time.process_time()
    repeats = REPEATS if responses.size < LARGE else 1
    for _ in range(repeats):
        fit = item_fit.fit(responses)
    seconds = (time.perf_counter() - start) / repeats
    cpu = (time.process_time() - cpu) / repeats
    _save(path, fit.ability, fit.discrimination, fit.difficulty)
    print(
        json.dumps(
            {"seconds": seconds, "cpu": cpu, "peak_mb": _peak_mb(), "peak_before_mb": before}
        )
    )


def fit_py_irt(path: Path) -> None:
    """Hierarchical 2PL by variational inference; exports slopes on their natural scale."""
    from py_irt.config import IrtConfig
    from py_irt.dataset import Dataset
    from py_irt.training import IrtModelTrainer

    responses = np.load(path)
    persons, items = np.nonzero(responses >= 0)
    data = Dataset(
        item_ids=set(map(str, range(responses.shape[1]))),
        subject_ids=set(map(str, range(responses.shape[0]))),
        item_id_to_ix={str(i): i for i in range(responses.shape[1])},
        ix_to_item_id={i: str(i) for i in range(responses.shape[1])},
        subject_id_to_ix={str(i): i for i in range(responses.shape[0])},
        ix_to_subject_id={i: str(i) for i in range(responses.shape[0])},
        observation_subjects=persons.tolist(),
        observation_items=items.tolist(),
        observations=responses[persons, items].astype(float).tolist(),
        training_example=[True] * len(items),
    )
    trainer = IrtModelTrainer(
        config=IrtConfig(model_type="2pl", priors="hierarchical", epochs=EPOCHS, seed=0),
        data_path=None,
        dataset=data,
        verbose=False,
    )
    before, start, cpu = _peak_mb(), time.perf_counter(), time.process_time()
    trainer.train(epochs=EPOCHS)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    best = trainer.irt_model.export()
    _save(path, best["ability"], best["disc"], best["diff"])
    print(
        json.dumps(
            {"seconds": seconds, "cpu": cpu, "peak_mb": _peak_mb(), "peak_before_mb": before}
        )
    )


def fit_girth(path: Path) -> None:
    """Marginal maximum likelihood; missing cells are not supported, so the mask is filled in."""
    # A peer, in an environment of its own.
    from girth import ability_map, twopl_mml  # type: ignore[import-not-found]

    responses = np.load(path)
    filled = np.where(responses < 0, responses.mean(axis=0) > 0.5, responses).T.astype(int)
    varied = (filled.mean(axis=1) > 0) & (filled.mean(axis=1) < 1)
    start, cpu = time.perf_counter(), time.process_time()
    items = twopl_mml(filled[varied])
    ability = ability_map(filled[varied], items["Difficulty"], items["Discrimination"])
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    a, b = np.ones(len(filled)), np.zeros(len(filled))
    a[varied], b[varied] = items["Discrimination"], items["Difficulty"]
    _save(path, ability, a, b)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_mb": _peak_mb()}))


def adaptive_tests(responses: np.ndarray) -> dict[str, float]:
    """Adaptive tests of 500 items for all respondents, and a plain loop with the same items."""
    from saturation.adaptive import administration
    from saturation.adaptive import fit as item_fit

    fit = item_fit.fit(responses)
    a, b = fit.discrimination, fit.difficulty
    administration.administer(responses, a, b, 2)
    start = time.process_time()
    test = administration.administer(responses, a, b, TEST_LENGTH)
    ours = time.process_time() - start
    start = time.process_time()
    items = np.array([_plain_test(row, a, b) for row in responses])
    plain = time.process_time() - start
    return {
        "seconds": ours,
        "plain_seconds": plain,
        "ratio": plain / ours,
        "same_items": float((items == test.items).mean()),
    }


def growth() -> list[dict[str, float]]:
    """Fit time by number of items and respondents (synthetic)."""
    from saturation.adaptive import fit as item_fit

    rows = []
    for persons, items in [(50, 2000), (100, 2000), (200, 2000), (100, 1000), (100, 4000)]:
        random = np.random.default_rng(0)
        a, b = np.exp(random.normal(0, 0.5, items)), random.normal(0, 1, items)
        responses = drawn(random.normal(size=persons), a, b, random)
        start = time.process_time()
        for _ in range(REPEATS):
            fit = item_fit.fit(responses)
        seconds = (time.process_time() - start) / REPEATS
        rows.append(
            {"respondents": persons, "items": items, "seconds": seconds, "rounds": fit.rounds}
        )
    return rows


def sizes() -> list[dict[str, Any]]:
    """Processor time and memory of large fits, in turns; each in a process of its own."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        runs: dict[tuple[int, int], list[dict[str, Any]]] = {size: [] for size in SIZES}
        for _ in range(TURNS):
            for persons, items in SIZES:
                random = np.random.default_rng(0)
                a, b = np.exp(random.normal(0, 0.5, items)), random.normal(0, 1, items)
                path = Path(folder) / "responses.npy"
                ability = random.normal(size=persons)
                np.save(path, drawn(ability, a, b, random))
                runs[persons, items].append(_run(sys.executable, "here", path))
        for (persons, items), measured in runs.items():
            rows.append(
                {
                    "respondents": persons,
                    "items": items,
                    "seconds": sorted(run["cpu"] for run in measured),
                    "peak_mb": max(run["peak_mb"] for run in measured),
                }
            )
    return rows


def held_out_of(tables: list[Path]) -> dict[str, float]:
    """Mean log-likelihood of masked cells of real banks, by the table's name."""
    import pandas as pd

    from saturation.adaptive import fit as item_fit
    from saturation.adaptive import model

    found = {}
    for table in tables:
        real = pd.read_csv(table, index_col=0).to_numpy(np.int8)
        mask = np.random.default_rng(1).random(real.shape) < MASKED
        fit = item_fit.fit(np.where(mask, model.MISSING, real).astype(np.int8))
        truth = np.where(mask, real, model.MISSING).astype(np.int8)
        found[table.stem] = held_out(fit.ability, fit.discrimination, fit.difficulty, truth)
    return found


def beside_peers(loaded: dict[str, np.ndarray], peer_python: str) -> dict[str, Any]:
    """Fits of the same cells by this library and the others."""
    from saturation.adaptive import model

    measured: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, responses in loaded.items():
            mask = np.random.default_rng(1).random(responses.shape) < MASKED
            given = np.where(mask, model.MISSING, responses).astype(np.int8)
            truth = np.where(mask, responses, model.MISSING).astype(np.int8)
            path = Path(folder) / f"{name}.npy"
            rows = {}
            for who, python in [
                ("here", sys.executable),
                ("py_irt", peer_python),
                ("girth", peer_python),
            ]:
                np.save(path, given)
                rows[who] = _run(python, who, path)
                if "error" not in rows[who]:
                    rows[who]["held_out"] = held_out(*_load(path), truth)
            for who in ("py_irt", "girth"):
                if "error" not in rows[who]:
                    rows[who]["times_slower"] = rows[who]["cpu"] / rows["here"]["cpu"]
            measured[name] = rows
    return measured


def main(hellaswag: Path, others: list[Path], peer_python: str | None, output: Path) -> None:
    """Run every comparison and write the ratios."""
    loaded = banks(hellaswag)
    if peer_python is None:
        before = json.loads(output.with_suffix(".json").read_text())
        measured = {name: before[name] for name in BANKS}
    else:
        measured = beside_peers(loaded, peer_python)
    measured["adaptive_tests_90x500"] = adaptive_tests(loaded["hellaswag_90x5021"])
    measured["growth"] = growth()
    measured["sizes"] = sizes()
    measured["held_out"] = held_out_of([hellaswag, *others])
    output.with_suffix(".json").write_text(json.dumps(measured, indent=2) + "\n")
    output.with_suffix(".md").write_text(report(measured))


def report(measured: dict[str, Any]) -> str:
    """The numbers as Markdown tables."""
    lines = ["# Adaptive: measured against other libraries, each table in one run", ""]
    lines += [
        "| bank | library | processor s | times slower | held-out log-likelihood | peak MB |",
        "|---|---|---|---|---|---|",
    ]
    for bank in BANKS:
        for who, row in measured[bank].items():
            if "error" in row:
                lines.append(f"| {bank} | {who} | {row['error']} | | | |")
            else:
                lines.append(
                    f"| {bank} | {who} | {row['cpu']:.2f} | {row.get('times_slower', 1):.0f} "
                    f"| {row['held_out']:.4f} | {row['peak_mb']:.0f} |"
                )
    tests = measured["adaptive_tests_90x500"]
    lines += [
        "",
        f"Adaptive tests of 500 items for 90 respondents: {tests['seconds']:.2f} s against "
        f"{tests['plain_seconds']:.1f} s of one plain loop a respondent, a ratio of "
        f"{tests['ratio']:.0f}; same items: {100 * tests['same_items']:.1f} %.",
        "",
        "| respondents | items | processor s of the fit | rounds |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['respondents']} | {row['items']} | {row['seconds']:.3f} | {row['rounds']} |"
        for row in measured["growth"]
    ]
    lines += [
        "",
        "| respondents | items | processor s, in three turns | peak MB |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {row['respondents']} | {row['items']} | "
        f"{', '.join(f'{seconds:.2f}' for seconds in row['seconds'])} | {row['peak_mb']:.0f} |"
        for row in measured["sizes"]
    ]
    lines += ["", "| bank | held-out log-likelihood, a tenth of the cells |", "|---|---|"]
    lines += [f"| {name} | {value:.4f} |" for name, value in measured["held_out"].items()]
    return "\n".join(lines) + "\n"


def _plain_test(row: np.ndarray, a: np.ndarray, b: np.ndarray) -> list[int]:
    theta, asked = 0.0, list[int]()
    free = np.ones(len(a), dtype=bool)
    for _ in range(TEST_LENGTH):
        p = 1 / (1 + np.exp(-a * (theta - b)))
        info = np.where(free, a * a * p * (1 - p), -1.0)
        item = int(info.argmax())
        free[item] = False
        asked.append(item)
        slope, place, answer = a[asked], b[asked], row[asked]
        for _ in range(50):
            p = 1 / (1 + np.exp(-slope * (theta - place)))
            gradient = float(slope @ (answer - p)) - theta
            step = gradient / (float(slope**2 @ (p * (1 - p))) + 1)
            step = min(max(step, -1.0), 1.0)
            theta += step
            if abs(step) < 1e-6:
                break
    return asked


def _run(python: str, who: str, path: Path) -> dict[str, Any]:
    command = [python, __file__, "--fit", who, str(path)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LONGEST[who],) * 2),
    )
    if done.returncode < 0:
        return {"error": f"no result after {LONGEST[who]} s"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    measured: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return measured


def _save(path: Path, ability: ArrayLike, a: ArrayLike, b: ArrayLike) -> None:
    np.savez(path.with_suffix(".npz"), ability=ability, a=a, b=b)


def _load(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    with np.load(path.with_suffix(".npz")) as saved:
        return saved["ability"], saved["a"], saved["b"]


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fit"]:
        fits = {"here": fit_here, "py_irt": fit_py_irt, "girth": fit_girth}
        sys.path.insert(0, str(ROOT / "src"))
        fits[sys.argv[2]](Path(sys.argv[3]))
    else:
        parser = argparse.ArgumentParser(description=__doc__)
        parser.add_argument("hellaswag", type=Path, help="the source nlu_hellaswag")
        parser.add_argument("--others", type=Path, nargs="*", default=[], help="further nlu_*")
        parser.add_argument("--peer-python")
        parser.add_argument("--output", type=Path, default=ROOT / "speed/results/adaptive")
        given = parser.parse_args()
        sys.path.insert(0, str(ROOT / "src"))
        main(given.hellaswag, given.others, given.peer_python, given.output)
