// config.hpp: what the service can be told, by flags or by a YAML file of the same names.
#pragma once
#include <map>
#include <string>

namespace poster {

struct Config {
  std::string host = "127.0.0.1";
  int port = 8190;
  int workers = 2;
  int intra_threads = 1;
  int max_batch = 4;
  double batch_delay_ms = 2;
  int queue_capacity = 64;
  int http_threads = 96;
  int steps = 8; // denoising steps of a request that names none
  std::string models;
  std::string engine;
  std::string ocr_model;
  std::map<std::string, std::string> overrides; // "denoiser" -> another file
};

// Exits with status 0 after --help and 2, with one line, after a wrong flag.
Config parse_config(int argc, char** argv);

} // namespace poster
