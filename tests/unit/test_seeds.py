"""Random streams depend on the seed and the stage's name only."""

from saturation import seeds


def test_derived_seeds_do_not_change_between_versions():
    # A known value: a change here changes every sampled result.
    assert seeds.derive(20251101, "plateau", "uncertainty") == 3822029726


def test_stages_seeds_and_wildcards_give_different_streams_and_the_same_name_the_same():
    names = [(1, "a"), (2, "a"), (1, "b"), (1, "a", "b"), (1, "a", 1), (1, "a", 2)]
    draws = {tuple(seeds.generator(*name).random(4)) for name in names}
    assert len(draws) == len(names)
    one, other = (seeds.generator(1, "a", number).random(4).tolist() for number in (5, "5"))
    assert one == other
