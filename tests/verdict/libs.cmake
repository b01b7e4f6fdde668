set(test_libs prof_verdict nlohmann_json::nlohmann_json)
