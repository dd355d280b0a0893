"""Monitors that record reports, or stop at once."""

from tted_core.foundations.monitor import Monitor, fraction

STOPPED = Monitor(should_stop=lambda: True)


def recording(reports, should_stop=lambda: False):
    """A monitor that appends each stage with its share."""
    return Monitor(lambda stage, done, total: reports.append((stage, fraction(done, total))), should_stop)
