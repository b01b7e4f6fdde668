set(bench_libs prof_store)
