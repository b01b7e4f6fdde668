set(fuzz_libs prof_graph)
