#include "config.hpp"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace poster {
namespace {

// A flat YAML file becomes the arguments that stand for it; what is on the command line wins, as it is parsed
// later.
std::vector<std::string> arguments_of(const std::string& path) {
  std::vector<std::string> args;
  const YAML::Node root = YAML::LoadFile(path);
  for (const auto& pair : root) {
    const auto key = pair.first.as<std::string>();
    if (pair.second.IsMap()) {
      for (const auto& item : pair.second)
        args.push_back(
            fmt::format("--{}={}={}", key, item.first.as<std::string>(), item.second.as<std::string>()));
      continue;
    }
    args.push_back(fmt::format("--{}={}", key, pair.second.as<std::string>()));
  }
  return args;
}

[[noreturn]] void refuse(const std::string& what) {
  fmt::print(stderr, "poetry_poster_service: {}\n", what);
  std::exit(2);
}

std::vector<std::string> all_arguments(int argc, char** argv) {
  std::vector<std::string> given(argv + 1, argv + argc), all;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_joined = given[i].starts_with("--config=");
    if (!is_joined && given[i] != "--config") continue;
    const std::string path = is_joined ? given[i].substr(9) : i + 1 < given.size() ? given[i + 1] : "";
    try {
      all = arguments_of(path);
    } catch (const YAML::Exception& e) {
      refuse(fmt::format("{}: {}", path, e.what()));
    }
  }
  all.insert(all.end(), given.begin(), given.end());
  return all;
}

} // namespace

Config parse_config(int argc, char** argv) {
  Config c;
  c.models = POSTER_MODELS_DIR;
  c.ocr_model = POSTER_OCR_MODEL;
  std::vector<std::string> overrides;
  std::string config_file;
  CLI::App app(
      "Turns a line of poetry into a poster: POST /v1/poster {\"text\":\"...\",\"seed\":1} -> image/png\n"
      "Example: poetry_poster_service --port 8190 --workers 2");
  app.option_defaults()->take_last()->always_capture_default();
  app.add_option("--config", config_file, "YAML file of these options");
  app.add_option("--host", c.host, "address to listen on");
  app.add_option("--port", c.port, "port; 0 takes a free one and prints it")->check(CLI::Range(0, 65535));
  app.add_option("--workers", c.workers, "inference threads")->check(CLI::Range(1, 64));
  app.add_option("--intra_threads", c.intra_threads,
                 "engine threads inside one operator, shared by all workers")
      ->check(CLI::Range(1, 64));
  app.add_option("--max_batch", c.max_batch, "requests run together at most")->check(CLI::Range(1, 32));
  app.add_option("--batch_delay_ms", c.batch_delay_ms, "how long the first request waits for others")
      ->check(CLI::Range(0.0, 10000.0));
  app.add_option("--queue_capacity", c.queue_capacity, "waiting requests beyond which 503 is answered")
      ->check(CLI::Range(1, 100000));
  app.add_option("--http_threads", c.http_threads, "open connections served at once")
      ->check(CLI::Range(2, 1024));
  app.add_option("--steps", c.steps, "denoising steps of a request that names none")
      ->check(CLI::Range(1, 100));
  app.add_option("--models", c.models, "folder of the ONNX graphs");
  app.add_option("--model", overrides,
                 "NAME=FILE: run FILE instead of text_encoder, denoiser, decoder or ocr_det")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--engine", c.engine, "path of libonnxruntime.so");
  auto args = all_arguments(argc, argv);
  std::reverse(args.begin(), args.end());
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    std::exit(0);
  } catch (const CLI::ParseError& e) {
    refuse(e.what());
  }
  for (const std::string& item : overrides) {
    const auto equals = item.find('=');
    if (equals == std::string::npos) refuse("--model wants NAME=FILE, not '" + item + "'");
    const std::string name = item.substr(0, equals);
    if (name != "text_encoder" && name != "denoiser" && name != "decoder" && name != "ocr_det")
      refuse("no model '" + name + "'; there are text_encoder, denoiser, decoder and ocr_det");
    c.overrides[name] = item.substr(equals + 1);
  }
  return c;
}

} // namespace poster
