set(test_libs prof_report)
