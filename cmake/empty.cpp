// Stands in for a part that only has headers so far.
