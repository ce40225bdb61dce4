"""The discriminability study: how well a score distribution separates models, month by month."""
