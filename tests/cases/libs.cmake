set(test_libs prof_cases)
