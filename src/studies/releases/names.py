"""Documents to read, and their claims; read while jobs are planned."""

from typing import NamedTuple


class Document(NamedTuple):
    """A release note, and the pairs of models that its text is about."""

    title: str
    date: str
    #: Names of the new model, by the number of the table in the file.
    models: dict[int, str]
    sources: str  #: of resources/sources.csv, as NAME.SUFFIX


DOCUMENTS = {
    "llama_3_1": Document(
        "Llama 3.1", "2024-07-23",
        {3: "Llama 3.1 405B", 4: "Llama 3.1 405B Instruct"}, "release_llama_3_1.md",
    ),
    "deepseek_v3": Document(
        "DeepSeek-V3", "2024-12-26",
        {2: "DeepSeek-V3", 3: "DeepSeek V3", 4: "DeepSeek-V3"}, "release_deepseek_v3.md",
    ),
    "deepseek_r1": Document(
        "DeepSeek-R1", "2025-01-20",
        {3: "DeepSeek R1", 4: "DeepSeek-R1-Distill-Qwen-32B"}, "release_deepseek_r1.md",
    ),
    "llama_4": Document(
        "Llama 4", "2025-04-05",
        {3: "Llama 4 Maverick", 4: "Llama 4 Maverick"}, "lookup_llama4_model_card.md",
    ),
    "mimo": Document(
        "MiMo-7B", "2025-04-30", {2: "MiMo-7B-RL", 3: "MiMo-7B-RL"}, "release_mimo.md"
    ),
    "minimax_m1": Document(
        "MiniMax-M1", "2025-06-16", {1: "MiniMax-M1-80K"}, "release_minimax_m1.md"
    ),
    "kimi_k2": Document(
        "Kimi K2", "2025-07-11", {2: "Kimi K2 Instruct", 3: "Kimi K2 Base"}, "release_kimi_k2.md"
    ),
}  # fmt: skip
