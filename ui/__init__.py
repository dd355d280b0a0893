"""What the pages share: inputs, options, cache, results and views. The only place that draws."""
