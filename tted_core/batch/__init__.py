"""Many pairs at once: from files to rows, as fast as the arithmetic allows."""
