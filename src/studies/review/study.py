"""Learn how often agreement of models means a wrong key, and try lists of items on MMLU-Redux."""

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd
from scipy import optimize, special

from saturation.arrays import Floats, Places
from saturation.files.tables import NamedTables
from saturation.review import evidence
from saturation.review.evidence import OPTIONS, RIGHT_ALONE, Weights
from studies.quantity import Quantity, frame, list_numbers

# What people found that makes a key wrong; other findings are of unclear questions or options.
WRONG_KEY = ("wrong_groundtruth", "no_correct_answer", "multiple_correct_answers")
NOT_CHECKED = "expert"
# Numbers of models for which weights are learned, from the best to the last by share right.
MODELS = (3, 5, 8, 14)
# Subjects on which weights are learned when they are tried on the other subjects.
LEARNED_ON = 30
SPLITS = 60
LISTED, NEXT = 100, 50
# Keeps slopes finite where an item's evidence never has a wrong key.
PENALTY = 0.01


# Items with their findings, by kind of evidence and number of models.
ByEvidence = Mapping[tuple[str, int], pd.DataFrame]


def study(questions: pd.DataFrame, seed: int = 0) -> NamedTables:
    """Learn the weights, and try them on subjects that they have not seen.

    Tables by the names of their files: ``weights``, a row a kind of evidence and number of models,
    as the library has them; ``splits``, a row a split of subjects: stated and found wrong keys;
    ``quantities``.
    """
    answers = long_answers(questions)
    items = {
        (kind, models): items_with_findings(answers, questions, kind, models)
        for kind, models in itertools.product((OPTIONS, RIGHT_ALONE), MODELS)
    }
    splits = pd.DataFrame(list(_splits(items, np.sort(questions["subject"].unique()), seed)))
    learned = pd.DataFrame(list(_weight_rows(items)))
    held = splits.groupby(["evidence", "models", "part"])["covered"].mean().unstack()
    held = held.add_prefix("covered_").reset_index()
    return {
        "weights": learned.merge(held, on=["evidence", "models"]),
        "splits": splits,
        "quantities": frame(_quantities(items, splits, learned)),
    }


def compact(source: pd.DataFrame) -> pd.DataFrame:
    """Return the embedded table: key, finding and the models' chosen letters in a single word.

    The source has 100 questions of each subject, one subject after the other, and no subject's
    name. An answer that begins with no option is a dash.
    """
    models = source.columns[4 : 4 + MODELS[-1]]
    letters = source[models].astype(str).apply(lambda column: column.str.strip().str[:1])
    letters = letters.where(letters.isin(list("ABCD")), "-")
    return pd.DataFrame(
        {
            "item": np.arange(1, len(source) + 1),
            "subject": np.arange(len(source)) // 100 + 1,
            "key": np.array(list("ABCD"))[source["groundtruth_answer"].astype(int)],
            "finding": source["error_type"].replace("ok", None),
            "choices": letters.agg("".join, axis=1),
        }
    )


def long_answers(questions: pd.DataFrame) -> pd.DataFrame:
    """Return a row a model and item: the chosen option, and whether the key agrees."""
    letters = np.array([list(choices) for choices in questions["choices"]])
    models = pd.DataFrame(letters, index=questions["item"]).rename_axis(columns="model")
    long = models.reset_index().melt("item", var_name="model", value_name="choice")
    key = questions.set_index("item")["key"]
    long["response"] = (long["choice"] == long["item"].map(key)).astype(int)
    return long.assign(choice=long["choice"].replace("-", ""))


def learn(items: pd.DataFrame) -> Weights:
    """Regress wrong keys on the evidence, and measure how much their ratio varies by subject."""
    outcome, features = items["wrong"].to_numpy(float), evidence.predictors(items)

    penalties = np.r_[0.0, np.full(features.shape[1] - 1, PENALTY)]

    def loss(slopes: Floats) -> float:
        log_odds = features @ slopes
        return float((np.logaddexp(0, log_odds) - log_odds * outcome).sum() + penalties @ slopes**2)

    def score(slopes: Floats) -> Floats:
        errors = special.expit(features @ slopes) - outcome
        return np.asarray(errors @ features + 2 * penalties * slopes)

    def curvature(slopes: Floats) -> Floats:
        return _information(features, special.expit(features @ slopes)) + np.diag(2 * penalties)

    start = np.zeros_like(penalties)
    slopes = optimize.minimize(loss, start, jac=score, hess=curvature, method="trust-exact").x
    subject = pd.factorize(items["subject"])[0]
    chance = predict_held_out(features, outcome, subject, slopes, curvature(slopes))
    sums = (
        pd.DataFrame({"found": outcome, "stated": chance, "variance": chance * (1 - chance)})
        .groupby(subject)
        .sum()
    )
    squares = (sums["found"] - sums["stated"]) ** 2
    stated_squares = (sums["stated"] ** 2).sum()
    heterogeneity = max(0.0, (squares - sums["variance"]).sum() / stated_squares)
    # Satterthwaite's degrees of freedom of a sum of independent squares.
    spread = (squares**2).sum() - squares.sum() ** 2 / len(sums)
    degrees = np.clip(2 * squares.sum() ** 2 / spread, 1, len(sums))
    return Weights(slopes, heterogeneity, chance.sum() ** 2 / stated_squares, degrees)


def _information(features: Floats, chance: Floats) -> Floats:
    """Return Fisher's information of the slopes of a logistic regression."""
    return (features.T * (chance * (1 - chance))) @ features


def predict_held_out(
    features: Floats, outcome: Floats, subject: Places, slopes: Floats, curvature: Floats
) -> Floats:
    """Return each item's probability by slopes from the other subjects, one Newton step away."""
    chance: Floats = special.expit(features @ slopes)
    probabilities = np.empty_like(chance)
    for rows in pd.Series(subject).groupby(subject).indices.values():
        score = features[rows].T @ (outcome - chance)[rows]
        others = curvature - _information(features[rows], chance[rows])
        step = np.linalg.solve(others, score)
        probabilities[rows] = special.expit(features[rows] @ (slopes - step))
    return probabilities


def items_with_findings(
    answers: pd.DataFrame, questions: pd.DataFrame, kind: str, models: int
) -> pd.DataFrame:
    """Return the evidence from some models, with what people found."""
    ability = answers.groupby("model")["response"].mean().sort_values(ascending=False)
    # Evenly from the best to the last, so that few models are no abler than many.
    places = np.linspace(0, len(ability) - 1, models).round().astype(int)
    part = answers[answers["model"].isin(ability.index[places])]
    items = evidence.evidence(part if kind == OPTIONS else part.drop(columns="choice"))
    questions_by_item = questions.assign(item=questions["item"].astype(str)).set_index("item")
    items["subject"] = items["item"].map(questions_by_item["subject"])
    finding = items["item"].map(questions_by_item["finding"]).fillna("")
    items["wrong"] = finding.isin(WRONG_KEY)
    items["defective"] = ~finding.isin(["", NOT_CHECKED])
    return items


def _splits(tables: ByEvidence, subjects: Places, seed: int) -> Iterator[Mapping[str, object]]:
    """Learn on some subjects, and state what the list of the other subjects' items yields."""
    rng = np.random.default_rng(seed)
    draws = [rng.permutation(subjects)[:LEARNED_ON] for _ in range(SPLITS)]
    for (kind, models), items in tables.items():
        for number, learned_on in enumerate(draws):
            training = items["subject"].isin(learned_on)
            weights, testing = learn(items[training]), items[~training]
            chance = evidence.probabilities(testing, weights)
            codes = pd.factorize(testing["subject"])[0]
            wrong = testing["wrong"].to_numpy()
            for part, rows in (("next", slice(0, NEXT)), ("rest", slice(NEXT, None))):
                stated = evidence.expected_wrong(chance[rows], weights, codes[rows])
                hits = wrong[rows].sum()
                yield {
                    "evidence": kind,
                    "models": models,
                    "split": number,
                    "part": part,
                    **stated._asdict(),
                    "found": hits,
                    "covered": stated.lower <= hits <= stated.upper,
                }


def _covered(items: pd.DataFrame) -> Iterator[bool]:
    """Leave out each subject in turn, and say whether its wrong keys lie in the interval."""
    for subject, subject_items in items.groupby("subject"):
        weights = learn(items[items["subject"] != subject])
        stated = evidence.expected_wrong(
            evidence.probabilities(subject_items, weights),
            weights,
            np.zeros(len(subject_items), int),
        )
        yield stated.lower <= subject_items["wrong"].sum() <= stated.upper


def _weight_rows(tables: ByEvidence) -> Iterator[Mapping[str, object]]:
    """Yield a row for each kind of evidence and number of models."""
    for (kind, models), items in tables.items():
        columns = learn(items)._asdict()
        slopes = {f"slope_{place}": slope for place, slope in enumerate(columns.pop("slopes"))}
        covered = np.mean(list(_covered(items)))
        yield {"evidence": kind, "models": models, **columns, **slopes, "covered_subject": covered}


def _quantities(
    tables: ByEvidence, splits: pd.DataFrame, learned: pd.DataFrame
) -> Iterator[Quantity]:
    """Yield how many wrong keys each list finds, and how well its yield is stated."""
    for kind, name in ((OPTIONS, "options"), (RIGHT_ALONE, "right")):
        for models in (5, 14):
            first = tables[kind, models].head(LISTED)
            yield Quantity(f"wrong_keys_{name}_{models}", first["wrong"].mean())
            yield Quantity(f"defects_{name}_{models}", first["defective"].mean())
    by_options = learned[learned["evidence"] == OPTIONS].set_index("models")
    yield Quantity("covered_subject_14", by_options["covered_subject"].loc[14])
    tried = splits[(splits["evidence"] == OPTIONS) & (splits["models"] == 14)]
    yield Quantity("wrong_keys_base", tables[OPTIONS, 14]["wrong"].mean())
    means = tried.groupby("part")[["expected", "found", "covered"]].mean()
    for part, row in means.rename(columns={"expected": "stated"}).iterrows():
        yield from list_numbers({f"{name}_{part}_14": value for name, value in row.items()})
