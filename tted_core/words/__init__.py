"""Words and sentences: splitting, comparison, importance, claims and languages."""
