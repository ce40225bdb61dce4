"""One style of figures and pages."""
