"""Processor time of ``saturation renew`` on ten thousand items and 500 models, without reading.

Run it alone on the machine: ``python speed/renewal.py``. Writes speed/results/renewal.json.
"""

import json
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

from saturation.renewal.page import renew, sentences

ROOT = Path(__file__).resolve().parent.parent
ITEMS, MODELS = 5_000, 500


def main() -> None:
    """Draw two versions, judge them and write how long it took."""
    rng = np.random.default_rng(0)
    names = [f"lab{row % 20}-m{row}" for row in range(MODELS)]
    ability = rng.normal(size=MODELS)
    tables = []
    for name, shift in (("o", 0.0), ("n", 1.0)):
        chance = special.expit(1.3 * (ability - rng.normal(shift, 1, (ITEMS, 1))))
        right = (rng.random(chance.shape) < chance).astype(float)
        tables.append(pd.DataFrame(right, [f"{name}{row}" for row in range(ITEMS)], names))
    old, new = tables
    small = dict(zip(names, names, strict=True))
    # Without dates nothing is forecast.
    undated = (pd.Series(dtype=str), lambda _: "not forecast", None)
    renew(old.iloc[:50, :20], new.iloc[:50, :20], small, *undated)
    start = time.process_time()
    labs = {name: name.partition("-")[0] for name in names}
    page = list(sentences(renew(old, new, labs, *undated)))
    found = {"items": 2 * ITEMS, "models": MODELS, "seconds": time.process_time() - start}
    print(found, len(page), flush=True)
    (ROOT / "speed/results/renewal.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
