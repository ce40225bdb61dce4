"""Schema of the table of statuses."""

from saturation.files import schema
from saturation.status.names import STATUSES

_TEXT = schema.text(optional=True)
_NUMBER = schema.number(optional=True)
_SHARE = schema.proportion(optional=True)


STATUS = schema.table(
    {
        "benchmark": schema.text(unique=True),
        "status": schema.words_column(STATUSES),
        "current": schema.flag(),
        "as_of": schema.text(),
        "date": _TEXT,
        "why": schema.text(),
        "best_score": _SHARE,
        "best_share": _SHARE,
        **dict.fromkeys(("best_model", "best_date", "measured_date", "sites"), _TEXT),
        **dict.fromkeys(("lower", "upper"), _SHARE),
        "contenders": _NUMBER,
        "n_models": schema.whole(),
        "reported_score": _SHARE,
        "reported_share": _SHARE,
        **dict.fromkeys(("reported_model", "reported_date", "reported_by"), _TEXT),
        "next_year": _SHARE,
        "history": _TEXT,
        "chance": _SHARE,
        "chance_source": _TEXT,
        "n_items": _NUMBER,
        **dict.fromkeys(("n_source", "scale", "top", "items", "items_date", "items_board"), _TEXT),
        **dict.fromkeys(("items_models", "items_detectable"), _NUMBER),
        **dict.fromkeys(("issues", "issues_source", "superseded_by", "remark", "changed"), _TEXT),
        "s_index": _SHARE,
        **dict.fromkeys(("s_date", "benchmark_id"), _TEXT),
        "anchor": schema.text(unique=True),
    }
)
