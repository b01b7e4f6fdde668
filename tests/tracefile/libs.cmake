set(test_libs prof_tracefile prof_import prof_store)
