"""The page that shows every benchmark: its rows, its charts, and the page that holds them."""
