set(test_libs prof_rules)
