"""Source 000's checklist for an evaluation, answered from a reader's own files."""
