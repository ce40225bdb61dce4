"""Items whose key may be wrong: which to look at first, and how many there may be."""
