"""Words of a text: split, compared, weighed, and the language they are of."""
