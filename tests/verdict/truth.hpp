// The truth tables: inputs and outputs of scipy 1.10.1 (statistics_truth.json says how each was made).
#pragma once
#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

inline const nlohmann::json& truth() {
  static const nlohmann::json table = [] {
    std::ifstream file(std::string(PROF_SOURCE_DIR) + "/tests/verdict/statistics_truth.json");
    return nlohmann::json::parse(file);
  }();
  return table;
}
inline std::vector<double> data(const nlohmann::json& name) {
  return truth()["data"][name.get<std::string>()].get<std::vector<double>>();
}
inline void expect_near_rel(double got, double want, double rel = 1e-9, const std::string& what = "") {
  EXPECT_LE(std::fabs(got - want), rel * std::max(std::fabs(want), 1e-12))
      << what << " got " << got << " want " << want;
}
