"""The review study: how well lists of suspect items find the keys that people corrected."""
