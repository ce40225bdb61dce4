"""What guessing scores: one over the number of options, as each benchmark describes itself."""

from studies.forecast import names

# Options a question; ANLI has three classes, SimpleBench six options, VPCT three buckets.
OPTIONS = {
    "anli": 3, "arc_ai2": 4, "boolq": 2, "csqa2": 2, "hellaswag": 4, "mmlu": 4, "openbookqa": 4,
    "piqa": 2, "simple_bench": 6, "videomme": 4, "vpct": 3, "winogrande": 2,
}  # fmt: skip
TASKS = {"ARC": 4, "HellaSwag": 4, "MMLU": 4, "Winogrande": 2}


def test_a_floor_is_one_over_the_number_of_options_and_scores_are_in_percent():
    floors = {name: layout.floor for name, layout in names.LAYOUTS.items() if layout.floor}
    assert floors == {name: 1 / n for name, n in OPTIONS.items()}
    assert {("v1", name): 1 / n for name, n in TASKS.items()} == names.BOARD_FLOORS
    assert names.RUN_FLOORS == {"GPQA diamond": 1 / 4}
    scales = {name: one.scale for name, one in names.LAYOUTS.items() if one.scale != 100}
    assert scales == {"lech_mazur_writing": 10, "metr": 1}
