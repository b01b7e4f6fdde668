set(test_libs prof_metrics)
