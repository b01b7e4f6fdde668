set(test_libs prof_rules prof_import prof_tracefile)
