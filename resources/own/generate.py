"""Write the synthetic example files of config/own.yaml, in the formats of the tools they imitate.

    python resources/own/generate.py

Models and items are invented; a response is right with probability logistic(ability - difficulty).
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd

FOLDER = Path(__file__).parent / "example"
SEED = 20251101
EPOCH = 1767225600  # 2026-01-01


def main() -> None:
    """Write every example file."""
    rng = np.random.default_rng(SEED)
    FOLDER.mkdir(exist_ok=True)
    leaderboard(rng)
    lm_eval(rng)
    every_eval_ever(rng)
    configurations(rng)
    arena()


def leaderboard(rng: np.random.Generator) -> None:
    """Dated leaderboard in percent: submissions approach a ceiling over nine months."""
    rows = []
    for month in range(9):
        best = 0.94 / (1 + np.exp(-0.55 * (month - 1.5)))
        for place in range(12):
            score = best * (1 - 0.35 * rng.beta(1, 2)) if place else best * 0.995
            rows.append(
                {
                    "model": f"synthetic-model-{month + 1}{'abcdefghijkl'[place]}",
                    "score": round(100 * score, 2),
                    "n_items": 1200,
                    "date": f"2025-{month + 2:02d}-{1 + place * 2:02d}",
                }
            )
    pd.DataFrame(rows).to_csv(FOLDER / "synthetic_leaderboard.csv", index=False)


def lm_eval(rng: np.random.Generator) -> None:
    """Results and samples of ten models on 150 items, as lm-evaluation-harness lays them out."""
    difficulty = rng.normal(0, 1.2, 150)
    for place, ability in enumerate(np.linspace(-0.8, 2.2, 10)):
        model = f"synthetic/model-{place + 1}"
        right = (rng.random(150) < 1 / (1 + np.exp(difficulty - ability))).astype(float)
        if place > 5:
            right[7] = 0.0  # an item whose key is wrong: able models "fail" it
        elif place < 4:
            right[7] = 1.0
        folder = FOLDER / "lm_eval" / model.replace("/", "__")
        folder.mkdir(parents=True, exist_ok=True)
        stamp = "2026-01-01T00-00-00.000000"
        error = float(right.std(ddof=1) / np.sqrt(150))
        results = {
            "results": {
                "synthetic_task": {
                    "alias": "synthetic_task",
                    "exact_match,strict": float(right.mean()),
                    "exact_match_stderr,strict": error,
                }
            },
            "group_subtasks": {"synthetic_task": []},
            "higher_is_better": {"synthetic_task": {"exact_match": True}},
            "n-samples": {"synthetic_task": {"original": 150, "effective": 150}},
            "config": {"model": "synthetic", "model_args": f"pretrained={model}"},
            "date": EPOCH,
            "model_name": model,
        }
        (folder / f"results_{stamp}.json").write_text(json.dumps(results, indent=1) + "\n")
        samples = [
            {
                "doc_id": item,
                "doc": {"question": f"synthetic question {item}"},
                "target": "yes",
                "filtered_resps": ["yes" if value else "no"],
                "filter": "strict",
                "metrics": ["exact_match"],
                "exact_match": value,
            }
            for item, value in enumerate(right)
        ]
        text = "".join(json.dumps(sample) + "\n" for sample in samples)
        (folder / f"samples_synthetic_task_{stamp}.jsonl").write_text(text)


def every_eval_ever(rng: np.random.Generator) -> None:
    """Aggregates of six models with F1 and its standard error, as Every Eval Ever records them."""
    folder = FOLDER / "every_eval_ever"
    folder.mkdir(exist_ok=True)
    for place, score in enumerate([0.683, 0.664, 0.652, 0.641, 0.628, 0.571]):
        content = {
            "schema_version": "0.3.0",
            "evaluation_id": f"synthetic_f1/synthetic_model-{place + 1}/{EPOCH}",
            "retrieved_timestamp": str(EPOCH),
            "source_metadata": {
                "source_type": "evaluation_run",
                "source_organization_name": "synthetic",
                "evaluator_relationship": "other",
            },
            "eval_library": {"name": "synthetic", "version": "0"},
            "model_info": {"id": f"synthetic/model-{place + 1}", "name": f"model-{place + 1}"},
            "evaluation_results": [
                {
                    "evaluation_name": "synthetic_f1",
                    "source_data": {"dataset_name": "synthetic", "source_type": "other"},
                    "metric_config": {
                        "metric_id": "f1",
                        "lower_is_better": False,
                        "score_type": "continuous",
                        "min_score": 0.0,
                        "max_score": 1.0,
                    },
                    "score_details": {
                        "score": score,
                        "uncertainty": {
                            "standard_error": {
                                "value": round(float(rng.uniform(0.011, 0.013)), 4),
                                "method": "bootstrap",
                            },
                            "num_samples": 800,
                        },
                    },
                }
            ],
        }
        path = folder / f"synthetic_model-{place + 1}.json"
        path.write_text(json.dumps(content, indent=1) + "\n")


def configurations(rng: np.random.Generator) -> None:
    """Item responses of six models under three prompts, in clusters of five items."""
    difficulty = rng.normal(0, 1, 60) + np.repeat(rng.normal(0, 1, 12), 5)
    rows = [
        {
            "model": f"synthetic-{name}",
            "item": f"q{item:02d}",
            "cluster": f"passage-{item // 5:02d}",
            "configuration": prompt,
            "response": int(rng.random() < 1 / (1 + np.exp(difficulty[item] - ability - shift))),
        }
        for name, ability in zip("abcdef", [2.5, 2.4, 2.3, 2.2, 2.1, 0.5], strict=True)
        for prompt, shift in (("plain", 0.0), ("polite", 0.2), ("terse", -0.3))
        for item in range(60)
    ]
    pd.DataFrame(rows).to_csv(FOLDER / "synthetic_configurations.csv", index=False)


def arena() -> None:
    """Ratings with 95 % intervals, as arenas publish them."""
    ratings = [1312, 1309, 1301, 1296, 1290, 1271, 1255, 1240]
    rows = [
        {"model": f"synthetic-{name}", "score": r, "lower": r - 6 - i, "upper": r + 6 + i}
        for i, (name, r) in enumerate(zip("abcdefgh", ratings, strict=True))
    ]
    pd.DataFrame(rows).to_csv(FOLDER / "synthetic_arena.csv", index=False)


if __name__ == "__main__":
    main()
