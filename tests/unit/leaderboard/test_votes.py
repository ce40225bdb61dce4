"""Bradley-Terry ratings of pairwise votes, with ties and clustered errors."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import optimize, special
from statsmodels.stats import sandwich_covariance

from saturation import cli
from saturation.errors import InputError
from saturation.leaderboard import top, votes
from saturation.own import votes as own_votes
from saturation.own.imports import FileRecord, ImportRecord


@pytest.fixture(scope="module")
def decided(request):
    """Votes without ties on which evalica and choix have been run."""
    return pd.read_csv(request.config.rootpath / "tests/golden/votes_data.csv")


@pytest.fixture(scope="module")
def tied():
    """Votes of Davidson's model, with an effect of the prompt."""
    return drawn(np.random.default_rng(1), models=5, prompts=15, raters=10, size=900)


def drawn(rng, models, prompts, raters, size, spread=0.5, nu=1.0):
    strength = np.linspace(0.8, -0.8, models)
    a = rng.integers(0, models, size)
    b = (a + rng.integers(1, models, size)) % models
    prompt = rng.integers(0, prompts, size)
    at = strength + spread * rng.normal(size=(prompts, models))
    ways = np.array(
        [at[prompt, a], at[prompt, b], np.log(nu) + (at[prompt, a] + at[prompt, b]) / 2]
    )
    way = (rng.gumbel(size=ways.shape) + ways).argmax(axis=0)
    return pd.DataFrame({
        "model_a": [f"m{i}" for i in a], "model_b": [f"m{i}" for i in b],
        "winner": np.array(["model_a", "model_b", "tie"])[way],
        "prompt": prompt, "rater": rng.integers(0, raters, size),
    })  # fmt: skip


def rated(table):
    return votes.fit(votes.tidy(table, "f")[0])


def logits(found):
    return pd.Series((found.rating - votes.CENTRE) / votes.SCALE, index=found.models)


def test_without_ties_ratings_are_those_of_evalica_and_choix(request, decided):
    golden = pd.read_csv(request.config.rootpath / "tests/golden/votes.csv", index_col="model")
    found = logits(rated(decided))
    for tool in golden:
        assert found[golden.index].to_numpy() == pytest.approx(golden[tool], abs=1e-6)


def test_without_ties_errors_are_those_of_a_logistic_regression_with_two_clusters(decided):
    found = rated(decided)
    place = {name: number for number, name in enumerate(found.models)}
    design = np.zeros((len(decided), len(place)))
    rows = np.arange(len(decided))
    design[rows, decided["model_a"].map(place)] += 1
    design[rows, decided["model_b"].map(place)] -= 1
    won = (decided["winner"] == "model_a").astype(float)
    # The last model's strength is 0.
    fitted = sm.Logit(won, design[:, :-1]).fit(disp=0, tol=1e-12)
    codes = (decided["prompt"].to_numpy(), decided["rater"].to_numpy())
    # Each with G/(G - 1); statsmodels adds (n - 1)/(n - k) to each.
    n, k = design[:, :-1].shape
    both = sandwich_covariance.cov_cluster_2groups(fitted, *codes)[0] * (n - k) / (n - 1)
    contrast = np.column_stack([np.eye(k), -np.ones(k)])
    ours = contrast @ found.covariance @ contrast.T / votes.SCALE**2
    assert ours == pytest.approx(both, rel=1e-6)
    plain = contrast @ found.unclustered @ contrast.T / votes.SCALE**2
    assert plain == pytest.approx(fitted.cov_params(), rel=1e-5)
    assert (found.clusters, found.degrees) == ({"prompt": 20, "rater": 15}, 14)


def test_with_ties_they_are_the_maximum_of_davidson_s_likelihood(tied):
    found = rated(tied)
    place = {name: number for number, name in enumerate(sorted(found.models))}
    a, b = (tied[name].map(place).to_numpy() for name in ("model_a", "model_b"))

    def loss(theta):
        p = np.exp(theta[:-1] - theta[:-1].mean())
        tie = np.exp(theta[-1]) * np.sqrt(p[a] * p[b])
        chosen = np.where(
            tied["winner"] == "tie", tie, np.where(tied["winner"] == "model_a", p[a], p[b])
        )
        return -np.log(chosen / (p[a] + p[b] + tie)).sum()

    best = optimize.minimize(loss, np.zeros(len(place) + 1), method="BFGS", options={"gtol": 1e-6})
    theta = best.x[:-1] - best.x[:-1].mean()
    assert logits(found)[list(place)].to_numpy() == pytest.approx(theta, abs=1e-4)
    # The inverse of the information is the likelihood's curvature, with ratings of mean 0.
    step, eye = 1e-3, np.eye(len(best.x))
    curvature = np.array([
        [
            (loss(best.x + step * (i + j)) - loss(best.x + step * (i - j))
             - loss(best.x - step * (i - j)) + loss(best.x - step * (i + j))) / (4 * step**2)
            for i in eye
        ]
        for j in eye
    ])  # fmt: skip
    inverse = pd.DataFrame(
        np.linalg.pinv(curvature, rcond=1e-6)[:-1, :-1], list(place), list(place)
    )
    ours = found.unclustered / votes.SCALE**2
    assert ours == pytest.approx(inverse.loc[found.models, found.models].to_numpy(), rel=1e-3)
    table = votes.ranked(found, 0.95)
    assert (table["lower"] < table["score"]).all()
    half = special.stdtrit(9, 0.975) * table["standard_error"]
    assert (table["upper"] - table["score"]).to_numpy() == pytest.approx(half.to_numpy())


def test_the_sides_and_the_words_of_a_vote_change_nothing(tied):
    turned = tied.rename(columns={"model_a": "right", "model_b": "left", "rater": "worker"})
    turned["winner"] = tied["winner"].map({"model_a": "right", "model_b": "left", "tie": "draw"})
    winners = [row.get(row["winner"], "both_bad") for row in tied.to_dict("records")]
    named = tied.assign(winner=winners)
    one = rated(tied)
    for other in (rated(turned), rated(named)):
        assert other.models == one.models
        assert other.covariance == pytest.approx(one.covariance)
    assert "both are bad count as ties" in votes.tidy(named, "f")[1][0]


def test_a_name_goes_before_a_word():
    table = pd.DataFrame({"left": ["b", "x"], "right": ["a", "y"], "winner": ["a", "A"]})
    assert votes.tidy(table, "f")[0]["outcome"].tolist() == [0.0, 1.0]


def test_repeated_votes_of_a_cluster_add_nothing(tied):
    one = rated(tied.drop(columns="rater"))
    two = rated(pd.concat([tied, tied]).drop(columns="rater"))
    assert two.covariance == pytest.approx(one.covariance, rel=1e-6)
    assert two.unclustered == pytest.approx(one.unclustered / 2, rel=1e-6)


def test_pairs_have_the_error_of_a_difference(tied):
    found = rated(tied)
    pairs = votes.pairs(found)
    c = found.covariance
    error = np.sqrt(c[0, 0] + c[1, 1] - 2 * c[0, 1])
    assert pairs.standard_error[0, 1] == pytest.approx(error)
    t = (found.rating[0] - found.rating[1]) / error
    assert pairs.p_value[0, 1] == pytest.approx(2 * special.stdtr(9, -t))
    assert votes.margin(0.02) == pytest.approx(400 * np.log10(0.52 / 0.48))


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"winner": "m9"}, "row 3: winner is 'm9'; a model of the row"),
        ({"winner": None}, "row 3: winner is empty"),
        ({"prompt": None}, "row 3: prompt is empty"),
        ({"model_b": "m0", "model_a": "m0"}, "row 3: 'm0' is compared with itself"),
    ],
)
def test_votes_that_cannot_be_used(tied, change, part):
    table = tied.astype(object)
    for column, value in change.items():
        table.loc[2, column] = value
    with pytest.raises(InputError, match=part):
        votes.tidy(table, "f")


def test_a_model_that_always_wins_has_no_rating(tied):
    unbeaten = tied.head(5).assign(model_a="champion", winner="model_a")
    with pytest.raises(InputError, match="champion won or lost every vote"):
        rated(pd.concat([tied, unbeaten]))
    with pytest.raises(InputError, match="all votes have one prompt"):
        rated(tied.assign(prompt=1))


@pytest.mark.parametrize(
    ("number", "clusters"),
    [(1, {"prompt": 15}), (2, {"prompt": 15}), (3, {"prompt": 15, "rater": 3})],
)
def test_fewer_than_three_raters_are_no_clusters(tied, number, clusters):
    table = tied.assign(rater=np.arange(len(tied)) % number)
    found, remarks = own_votes.rated({"f": table})
    assert found.clusters == clusters
    assert any("no variance" in remark for remark in remarks) == (number < 3)
    _, remarks = own_votes.rated({"f": table.drop(columns="prompt")})
    assert not any("agree" in remark for remark in remarks)
    with pytest.raises(InputError, match="some of the files have a column rater"):
        own_votes.rated({"f": table, "g": table.drop(columns="rater")})


def test_a_card_of_votes_has_their_numbers_and_says_how_raters_differ(tied):
    card = own_votes.card("arena", {"f": tied}, {}, "2026-01-31", top.Settings())
    assert (card.error_rate, card.data.n_items, card.data.n_models) == (0.05, 15, 5)
    files = [FileRecord("f", "votes", 0, 900, [])]
    assert card.imported == ImportRecord(files, 0, 0, {}, [])
    assert card.frontier.answers.equivalence.margin == votes.margin(0.02)
    assert card.frontier.answers.headroom.answer == "not_asked"
    declared = {"meaningful_difference": 50}
    found = own_votes.card("arena", {"f": tied}, declared, "2026-01-31", top.Settings())
    assert found.frontier.answers.equivalence.margin == 50
    low, high = (tied["winner"] == "tie").groupby(tied["rater"]).mean().quantile([0.1, 0.9])
    assert f"ties are {100 * low:.0f} % to {100 * high:.0f} % of" in card.data.remarks[-1]
    few = own_votes.card("arena", {"f": tied}, {}, "", top.Settings(k=6))
    assert (few.reason, few.error_rate, len(few.frontier.pairs)) == ("too_few_models", 0.05, 10)


def test_names_in_json_are_no_numbers(tmp_path):
    (path := tmp_path / "x.json").write_text('[{"model_a": "1", "model_b": "01", "winner": "01"}]')
    assert own_votes.table(path).loc[0].tolist() == ["1", "01", "01"]
    path.write_text("[{}, null]")
    assert own_votes.table(path) is None


@pytest.mark.parametrize("suffix", own_votes.SUFFIXES)
@pytest.mark.parametrize("text", ["", " \n\n"])
def test_a_file_without_text_holds_no_votes(suffix, text, tmp_path):
    (path := tmp_path / f"x{suffix}").write_text(text)
    assert own_votes.table(path) is None


def test_winners_that_are_two_names_are_votes_between_these(tmp_path):
    cells = ["ours", "base", "ours", "tie", "ours", "base", "Tie", "ours"]
    path = tmp_path / "judged.csv"
    path.write_text("\n".join(["id,winner", *(f"{n},{cell}" for n, cell in enumerate(cells))]))
    fitted, remarks = own_votes.rated({"f": own_votes.table(path)})
    assert fitted.models == ["ours", "base"]
    assert "8 votes" in remarks[0]
    for other in ("white", "A", "system_b", "third"):
        path.write_text(path.read_text().replace("base", other, 1 if other == "third" else -1))
        assert own_votes.table(path) is None
        path.write_text(path.read_text().replace(other, "base"))


def test_votes_get_a_card_with_the_usual_verdicts(tied, tmp_path, capsys):
    tied.rename(columns={"model_a": "A-side"}).to_csv(tmp_path / "arena.csv", index=False)
    words = ["card", str(tmp_path / "arena.csv"), "--no-pages", "--columns", "model_a=A-side"]
    assert cli.main(words) == 0
    text = capsys.readouterr().out
    assert text.startswith("arena: ")
    assert "900 votes (15 prompts, 10 raters)" in text
    assert ", undated\n" in text  # not the day of the file
    assert cli.main([*words[:-1], "model_a=B"]) == 1
    assert "column 'B' is missing" in capsys.readouterr().err
