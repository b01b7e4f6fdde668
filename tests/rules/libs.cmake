set(test_libs prof_rules prof_report prof_import prof_tracefile)
