"""Where it is asked: queries, judged before they run and ended at their deadline."""
