set(bench_libs prof_capture prof_sdk)
