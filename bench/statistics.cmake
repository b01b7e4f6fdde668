set(bench_libs prof_verdict)
