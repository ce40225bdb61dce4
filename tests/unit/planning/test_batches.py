"""Which of the user's benchmarks share a job."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from saturation.planning.batches import MOST_ON_AVERAGE, batches

NAMES = st.sets(st.text(min_size=1, max_size=8), max_size=120)


@given(NAMES)
def test_every_benchmark_has_one_job(names):
    dealt = batches(names)
    assert sorted(name for job in dealt.values() for name in job) == sorted(names)
    assert all(dealt.values())


@given(NAMES, st.randoms())
def test_their_order_does_not_matter(names, random):
    shuffled = sorted(names)
    random.shuffle(shuffled)
    assert batches(shuffled) == batches(names)


@given(NAMES, st.text(min_size=1, max_size=8))
def test_a_further_one_changes_only_the_job_that_it_joins(names, further):
    others = names - {further}
    assume(len(others) / MOST_ON_AVERAGE not in (1, 2))  # else the number of jobs doubles
    before, after = batches(others), batches(others | {further})
    changed = {job for job in before.keys() | after if before.get(job) != after.get(job)}
    assert changed == {job for job, members in after.items() if further in members}


@pytest.mark.parametrize(
    ("benchmarks", "jobs"), [(0, 0), (1, 1), (32, 1), (33, 2), (64, 2), (65, 4)]
)
def test_few_share_one_job_and_more_have_twice_as_many(benchmarks, jobs):
    assert len(batches([f"b{number}" for number in range(benchmarks)])) == jobs


def test_no_job_has_many_of_a_thousand():
    dealt = batches([f"board{number}" for number in range(1000)])
    assert len(dealt) == 32
    assert max(map(len, dealt.values())) <= 2 * MOST_ON_AVERAGE


def test_a_name_keeps_its_job_from_run_to_run():
    names = ["gpqa", "mmlu", "swe-bench", "arc", *(f"b{number}" for number in range(40))]
    dealt = batches(names)
    assert [[job for job, members in dealt.items() if name in members] for name in names[:4]] == [
        [0], [1], [0], [1],
    ]  # fmt: skip
