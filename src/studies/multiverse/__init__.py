"""Every defensible analysis of each conclusion."""
