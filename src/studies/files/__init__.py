"""Files of the workflow: pinned sources, and embedded tables compared with them."""
