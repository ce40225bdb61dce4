from saturation.simulation import names


def test_a_module_that_assigns_checks_is_a_subject(tmp_path):
    (tmp_path / "coins.py").write_text("CHECKS: tuple = ()\n")
    (tmp_path / "dice.py").write_text("import x\n\nCHECKS = (1,)\n")
    (tmp_path / "helper.py").write_text("from coins import CHECKS\n\nCHECKS_OF = 1\n CHECKS = 2\n")
    (tmp_path / "CHECKS.txt").write_text("CHECKS = 1\n")
    assert names.subjects(tmp_path) == ["coins", "dice"]


def test_the_package_has_subjects_and_its_own_tools_are_none():
    found = names.subjects()
    assert {"board", "growth", "multiverse", "robustness", "statistics", "trends"} <= set(found)
    assert not {"check", "checks", "counting", "figures", "names", "schemas", "table"} & set(found)
