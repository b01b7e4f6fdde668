// poetry_poster_service: a line of poetry in, a poster out. docs/example_service.md describes it.
#include "batcher.hpp"
#include "config.hpp"
#include "metrics.hpp"
#include "ocr.hpp"
#include "pipeline.hpp"
#include "sdk/prof_sdk.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

namespace poster {
namespace {

using Json = nlohmann::json;
constexpr std::size_t kMaxText = 2000, kMaxBody = 16U << 20U;

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void answer_error(httplib::Response& response, int status, const std::string& what) {
  response.status = status;
  response.set_content(Json{{"error", what}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n",
                       "application/json");
}

// The job of a request body; `what` says what is wrong when it is none.
std::optional<Job> parse_job(const std::string& body, int default_steps, std::string& what) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("text") || !json["text"].is_string()) {
    what = "send {\"text\": \"...\", \"seed\": 1}";
    return std::nullopt;
  }
  Job job{.text = json["text"].get<std::string>(), .seed = 0, .steps = default_steps};
  if (job.text.empty() || job.text.size() > kMaxText || !is_utf8(job.text))
    what = "text must be 1 to 2000 bytes of UTF-8";
  if (json.contains("seed") && !json["seed"].is_number_unsigned())
    what = "seed must be a whole number from 0 on";
  if (json.contains("steps") &&
      (!json["steps"].is_number_unsigned() || json["steps"] < 1U || json["steps"] > 100U))
    what = "steps must be 1 to 100";
  if (!what.empty()) return std::nullopt;
  job.seed = json.value("seed", std::uint64_t{0});
  job.steps = json.value("steps", default_steps);
  return job;
}

class Service {
public:
  explicit Service(const Config& config)
      : config_(config), runtime_(config.engine), pipeline_(runtime_, config_),
        batcher_(pipeline_, config_, metrics_) {
    const auto named = config_.overrides.find("ocr_det");
    const std::string path = named != config_.overrides.end() ? named->second : config_.ocr_model;
    if (std::filesystem::exists(path)) detector_.emplace(runtime_, path, config_.intra_threads);
  }

  void route(httplib::Server& server) {
    server.Post("/v1/poster", [this](const httplib::Request& q, httplib::Response& a) {
      timed("poster", q, a, &Service::poster);
    });
    server.Post("/v1/ocr_det", [this](const httplib::Request& q, httplib::Response& a) {
      timed("ocr_det", q, a, &Service::ocr_det);
    });
    server.Get("/health", [this](const httplib::Request&, httplib::Response& a) {
      const Json health{{"status", "ok"},
                        {"engine", runtime_.version},
                        {"queue_depth", batcher_.depth()},
                        {"ocr_det", detector_.has_value()}};
      a.set_content(health.dump() + "\n", "application/json");
    });
    server.Get("/metrics", [this](const httplib::Request&, httplib::Response& a) {
      a.set_content(metrics_.text(batcher_.depth(), batcher_.in_flight()), "text/plain; version=0.0.4");
    });
    server.set_error_handler([](const httplib::Request&, httplib::Response& a) {
      if (!a.body.empty()) return;
      if (a.status == 413)
        answer_error(a, 413, "the body is too long; send pictures with Content-Type: image/png");
      if (a.status == 404)
        answer_error(a, 404, "there are POST /v1/poster, POST /v1/ocr_det, GET /health, GET /metrics");
    });
  }

  void stop() { batcher_.stop(); }
  [[nodiscard]] const std::string& engine_version() const { return runtime_.version; }

private:
  using Handler = prof_status (Service::*)(const httplib::Request&, httplib::Response&, prof_request);

  void timed(const char* name, const httplib::Request& question, httplib::Response& answer, Handler handler) {
    const double start = now_seconds();
    prof::sdk::Request request(prof_intern(name));
    prof_status status = PROF_ERROR;
    try {
      status = (this->*handler)(question, answer, request.id());
    } catch (const OrtFailure& failure) {
      answer_error(answer, 500, failure.what);
    }
    request.finish(status);
    metrics_.count_request(name, answer.status < 0 ? 200 : answer.status, now_seconds() - start);
  }

  prof_status poster(const httplib::Request& question, httplib::Response& answer, prof_request request) {
    std::string what;
    std::optional<Job> job = parse_job(question.body, config_.steps, what);
    if (!job) {
      answer_error(answer, 400, what);
      return PROF_REJECTED;
    }
    auto result = batcher_.submit(std::move(*job), request);
    if (!result) {
      answer.set_header("Retry-After", "1");
      answer_error(answer, 503, "the queue is full");
      return PROF_REJECTED;
    }
    Outcome outcome = result->get();
    if (!outcome.error.empty()) {
      answer_error(answer, 500, outcome.error);
      return PROF_ERROR;
    }
    answer.set_content(std::move(outcome.png), "image/png");
    return PROF_OK;
  }

  prof_status ocr_det(const httplib::Request& question, httplib::Response& answer, prof_request request) {
    if (!detector_) {
      answer_error(answer, 404, "the text detection model is not installed: run tools/install_engine.sh");
      return PROF_REJECTED;
    }
    const prof::sdk::Attach working(request);
    std::optional<Surface> picture;
    Tensor input, probability;
    {
      PROF_STAGE("preprocess");
      picture = decode_png(question.body);
      if (picture) input = TextDetector::prepare(*picture);
    }
    if (!picture) {
      answer_error(answer, 400, "send a PNG of at most 4096 x 4096 pixels");
      return PROF_REJECTED;
    }
    {
      PROF_STAGE("detect");
      probability = detector_->detect(input);
    }
    PROF_STAGE("postprocess");
    Json boxes = Json::array();
    for (const TextBox& b : TextDetector::boxes(probability, *picture))
      boxes.push_back({{"x", b.x}, {"y", b.y}, {"width", b.width}, {"height", b.height}, {"score", b.score}});
    answer.set_content(Json{{"boxes", boxes}}.dump() + "\n", "application/json");
    return PROF_OK;
  }

  Config config_;
  Metrics metrics_;
  Runtime runtime_;
  Pipeline pipeline_;
  std::optional<TextDetector> detector_;
  Batcher batcher_; // last: its workers end before what they use
};

// A plan for this service may name these options, because the recording shows them (docs/diagnosis.md).
void tell_options(const Config& config) {
  const auto tell = [](const char* key, const std::string& value) { prof_sdk_api->fact(key, value.c_str()); };
  tell("config.option", "--config");
  tell("config.workers", std::to_string(config.workers));
  tell("config.intra_threads", std::to_string(config.intra_threads));
  tell("config.max_batch", std::to_string(config.max_batch));
  tell("config.batch_delay_ms", fmt::format("{}", config.batch_delay_ms));
  tell("config.queue_capacity", std::to_string(config.queue_capacity));
}

int run(const Config& config) {
  prof::sdk::service("poetry_poster_service");
  tell_options(config);
  // Blocked before any thread exists, so that only the waiter below takes them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  Service service(config);
  httplib::Server server;
  const auto threads = static_cast<std::size_t>(config.http_threads);
  server.new_task_queue = [threads] { return new httplib::ThreadPool(threads); }; // the server owns it
  server.set_payload_max_length(kMaxBody);
  server.set_tcp_nodelay(true);
  server.set_keep_alive_max_count(1'000'000);
  service.route(server);
  const int port = config.port == 0                                ? server.bind_to_any_port(config.host)
                   : server.bind_to_port(config.host, config.port) ? config.port
                                                                   : -1;
  if (port < 0) {
    fmt::print(stderr, "poetry_poster_service: port {} of {} is taken or not allowed\n", config.port,
               config.host);
    return 1;
  }
  std::thread waiter([&] {
    int signal = 0;
    sigwait(&signals, &signal);
    server.stop();
  });
  fmt::print("poetry_poster_service: http://{}:{}/v1/poster (ONNX Runtime {}, {} workers)\n", config.host,
             port, service.engine_version(), config.workers);
  std::fflush(stdout);
  const bool is_clean = server.listen_after_bind(); // returns when running requests are answered
  if (!is_clean) pthread_kill(waiter.native_handle(), SIGTERM);
  waiter.join();
  service.stop();
  return is_clean ? 0 : 1;
}

} // namespace
} // namespace poster

int main(int argc, char** argv) {
  const poster::Config config = poster::parse_config(argc, argv);
  try {
    return poster::run(config);
  } catch (const poster::OrtFailure& failure) {
    fmt::print(stderr, "poetry_poster_service: {}\n", failure.what);
    return 1;
  }
}
