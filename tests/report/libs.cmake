set(test_libs prof_report prof_cases prof_verdict prof_rules)
