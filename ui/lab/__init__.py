"""The parts of the Lab page: which settings to trust, and why."""
