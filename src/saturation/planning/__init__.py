"""What is needed while the workflow is planned: light, without pandas."""
