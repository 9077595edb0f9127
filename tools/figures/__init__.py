"""Pictures of the documentation that a run draws, one module a page."""
