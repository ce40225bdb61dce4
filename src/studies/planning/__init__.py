"""Plan and run the workflow: the studies' config, the jobs' resources, a run's begin and end."""
