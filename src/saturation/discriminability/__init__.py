"""The discriminability study: how much a score distribution tells models apart."""
