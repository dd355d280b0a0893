"""Words and sentences: splitting, comparison, claims and languages."""
