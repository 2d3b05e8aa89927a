"""Show: a pure renderer, from what a result says of itself to text, JSON, CSV, Markdown, LaTeX, HTML and frames."""
