"""The page that shows every benchmark."""
