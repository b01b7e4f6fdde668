set(test_libs prof_graph prof_base)
