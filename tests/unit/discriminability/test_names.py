import subprocess
import sys

from saturation.discriminability import names


def test_prefixes_are_identifiers():
    assert names.prefix("v2", "MATH Lvl 5") == "v2_math_lvl_5"
    assert names.prefix("v1") == "v1"
    assert names.prefix("own", "MMLU-PRO (5)") == "own_mmlu_pro_5"


def test_planning_needs_no_pandas_for_the_names():
    program = "import sys, saturation.discriminability.names; sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
