set(fuzz_libs prof_tracefile prof_store)
