"""Pipeline: from what a user has to results, through read, align, count, score, aggregate and show."""
