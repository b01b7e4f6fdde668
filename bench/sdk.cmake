set(bench_libs prof_capture prof_sdk nlohmann_json::nlohmann_json)
