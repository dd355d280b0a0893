"""The Evaluate page: many maps from an upload to a ranking, the worst pairs, edits and exports."""
