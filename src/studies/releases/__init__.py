"""Release notes of models: which differences that they print exceed their error."""
