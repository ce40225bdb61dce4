"""Sphinx's settings of the site (make site); docs/tools/site.py gathers its pages.

The repository's address is no setting of this file: `make site REPOSITORY=https://...` gives it.
"""

import os
import re
import warnings

from numpy.typing import ArrayLike
from sphinx.util.typing import stringify_annotation

from saturation import __version__

# What the libraries say of each other is no fault of the pages.
warnings.filterwarnings("ignore", category=DeprecationWarning)

REPOSITORY = os.environ.get("REPOSITORY", "").rstrip("/")

project = "saturation"
author = "The saturation maintainers"
copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
if REPOSITORY:
    extensions.append("sphinx.ext.linkcode")
root_doc = "index"
exclude_patterns = ["extra"]
html_extra_path = ["extra"]

# Anchors of headings as a forge makes them, and math in dollars as it reads them.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
napoleon_attr_annotations = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "no-value": True}
add_module_names = False
python_maximum_signature_line_length = 88
# Classes of the same name in several modules: an annotation says only the name.
suppress_warnings = ["ref.python"]

html_theme = "furo"
html_title = "saturation"
html_static_path = ["static"]
html_css_files = ["site.css"]
# The search finds names too.
html_use_index = False
html_domain_indices = False
html_copy_source = False
# Read from disk, a page cannot fetch others for their first lines.
html_show_search_summary = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5c8f", "color-brand-content": "#0b5c8f"},
    "dark_css_variables": {"color-brand-primary": "#7cc4f0", "color-brand-content": "#7cc4f0"},
    "top_of_page_buttons": [],
    "navigation_with_keys": True,
}
if REPOSITORY:
    html_theme_options |= {
        "footer_icons": [
            {"name": "Repository", "url": REPOSITORY, "html": "Repository", "class": ""}
        ]
    }


# How numpy writes out NDArray.
ARRAY = re.compile(r"[\w.~]*ndarray\[tuple\[[^]]*\], [\w.~]*dtype\[([^]]+)\]\]")


def linkcode_resolve(domain, info):  # noqa: ANN001, ANN201
    """The address of a module, where the repository has one."""
    if domain != "py" or not info["module"]:
        return None
    return f"{REPOSITORY}/blob/main/src/{info['module'].replace('.', '/')}.py"


def shortened(_app, _what, _name, _thing, _options, signature, returned):  # noqa: ANN001, ANN201
    """Signatures that say ArrayLike and NDArray, not what numpy writes them out as."""

    def short(text):  # noqa: ANN001, ANN202
        if text is None:
            return None
        for mode in ("fully-qualified-except-typing", "smart"):
            text = text.replace(stringify_annotation(ArrayLike, mode), "ArrayLike")
        return ARRAY.sub(r"NDArray[\1]", text)

    return short(signature), short(returned)


def reachable(_app, _page, _template, context, _doctree):  # noqa: ANN001, ANN201
    """What scrolls can be reached by keyboard, and the menu's captions have a level."""
    for part, old, new in (
        ("body", "<pre>", '<pre tabindex="0">'),
        ("body", '<div class="table-wrapper', '<div tabindex="0" class="table-wrapper'),
        ("furo_navigation_tree", 'role="heading"', 'role="heading" aria-level="2"'),
    ):
        if part in context:
            context[part] = context[part].replace(old, new)


def setup(app):  # noqa: ANN001, ANN201
    """Called by Sphinx."""
    # After the theme, which makes the menu.
    app.connect("html-page-context", reachable, priority=900)
    app.connect("autodoc-process-signature", shortened)
