"""Speed as ratios against named peers. It is not installed."""
