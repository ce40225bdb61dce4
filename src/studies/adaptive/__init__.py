"""The adaptive study: which items still measure, and how few of them suffice."""
