// loadgen: open-loop load with Poisson arrivals. Latency counts from the intended send time, so a stalled
// service cannot hide its queue (no coordinated omission). docs/example_service.md describes the options and
// the JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <httplib.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace loadgen {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::json;

struct Options {
  std::string url = "http://127.0.0.1:8190/v1/poster";
  double rate = 4;
  std::string duration = "30s";
  std::uint64_t seed = 1;
  int connections = 64;
  double timeout_s = 120;
  int steps = 0;
  std::string json;
};

struct Answer {
  std::int64_t intended_ns = 0; // after the start
  std::int64_t late_ns = 0;     // how long after that it was sent, because every connection was busy
  std::int64_t latency_ns = 0;  // from intended to the last byte
  int status = 0;               // HTTP status, 0 when there was no answer
};

// SplitMix64: the same arrivals for the same seed everywhere.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
  }

private:
  std::uint64_t state_;
};

std::vector<std::int64_t> arrivals(double rate, double seconds, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::int64_t> times;
  for (double t = 0;;) {
    t += -std::log(1.0 - random.uniform()) / rate;
    if (t >= seconds || times.size() >= 10'000'000) return times;
    times.push_back(static_cast<std::int64_t>(t * 1e9));
  }
}

std::optional<double> seconds_of(const std::string& text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, text.data() + text.size());
  static const std::map<std::string, double> kUnits{{"", 1},   {"s", 1},    {"ms", 1e-3},
                                                    {"m", 60}, {"min", 60}, {"h", 3600}};
  const auto found = kUnits.find(unit);
  if (ec != std::errc{} || found == kUnits.end() || !(value > 0)) return std::nullopt;
  return value * found->second;
}

// Lines of poems long out of copyright; request i takes line i.
constexpr const char* kLines[] = {
    "床前明月光，疑是地上霜。",        "Two roads diverged in a yellow wood",
    "海内存知己，天涯若比邻。",        "Tyger Tyger, burning bright, in the forests of the night",
    "大漠孤烟直，长河落日圆。",        "Shall I compare thee to a summer's day?",
    "春江潮水连海平，海上明月共潮生。"};

std::string body_of(const Options& options, std::size_t i) {
  Json body{{"text", kLines[i % std::size(kLines)]}, {"seed", options.seed * 1'000'000 + i}};
  if (options.steps > 0) body["steps"] = options.steps;
  return body.dump();
}

struct Target {
  std::string origin, path;
};

std::optional<Target> split_url(const std::string& url) {
  const std::string scheme = "http://";
  if (!url.starts_with(scheme)) return std::nullopt;
  const auto slash = std::min(url.find('/', scheme.size()), url.size());
  return Target{url.substr(0, slash), slash < url.size() ? url.substr(slash) : "/"};
}

// One connection: takes the next arrival, waits for its time, sends it.
void drive(const Options& options, const Target& target, const std::vector<std::int64_t>& times,
           Clock::time_point start, std::atomic<std::size_t>& next, std::vector<Answer>& answers) {
  httplib::Client client(target.origin);
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  client.set_connection_timeout(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.timeout_s)));
  client.set_read_timeout(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.timeout_s)));
  for (std::size_t i = next++; i < times.size(); i = next++) {
    const auto intended = start + std::chrono::nanoseconds(times[i]);
    std::this_thread::sleep_until(intended);
    const auto sent = Clock::now();
    const auto result = client.Post(target.path, body_of(options, i), "application/json");
    const auto done = Clock::now();
    answers[i] = {.intended_ns = times[i],
                  .late_ns = (sent - intended).count(),
                  .latency_ns = (done - intended).count(),
                  .status = result ? result->status : 0};
  }
}

std::int64_t percentile(const std::vector<std::int64_t>& sorted, double p) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(p * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

Json report(const Options& options, const std::vector<Answer>& answers, double wall_s) {
  std::vector<std::int64_t> good, late;
  std::map<std::string, int> errors;
  Json latencies = Json::array(), intended = Json::array(), statuses = Json::array();
  for (const Answer& a : answers) {
    intended.push_back(a.intended_ns);
    latencies.push_back(a.latency_ns);
    statuses.push_back(a.status);
    late.push_back(a.late_ns);
    if (a.status == 200)
      good.push_back(a.latency_ns);
    else
      ++errors[a.status == 0 ? "no_answer" : "http_" + std::to_string(a.status)];
  }
  std::sort(good.begin(), good.end());
  std::sort(late.begin(), late.end());
  double sum = 0;
  for (const std::int64_t ns : good)
    sum += static_cast<double>(ns);
  Json json{{"url", options.url},
            {"rate", options.rate},
            {"seed", options.seed},
            {"wall_s", wall_s},
            {"sent", answers.size()},
            {"ok", good.size()},
            {"errors", errors},
            {"throughput", static_cast<double>(good.size()) / wall_s},
            {"late_send_p99_ns", percentile(late, 0.99)},
            {"mean_ns", good.empty() ? 0.0 : sum / static_cast<double>(good.size())}};
  for (const auto& [name, p] : std::initializer_list<std::pair<const char*, double>>{{"p50_ns", 0.5},
                                                                                     {"p90_ns", 0.9},
                                                                                     {"p95_ns", 0.95},
                                                                                     {"p99_ns", 0.99},
                                                                                     {"p999_ns", 0.999},
                                                                                     {"max_ns", 1.0}})
    json[name] = percentile(good, p);
  json["intended_ns"] = std::move(intended);
  json["latencies_ns"] = std::move(latencies);
  json["status"] = std::move(statuses);
  return json;
}

void summarise(const Json& j) {
  const auto ms = [&](const char* key) { return j[key].get<double>() / 1e6; };
  fmt::print("loadgen: {} sent, {} ok, {} failed in {:.1f} s ({:.2f}/s): mean {:.1f} p50 {:.1f} p90 {:.1f} "
             "p99 {:.1f} max {:.1f} ms\n",
             j["sent"].get<std::size_t>(), j["ok"].get<std::size_t>(),
             j["sent"].get<std::size_t>() - j["ok"].get<std::size_t>(), j["wall_s"].get<double>(),
             j["throughput"].get<double>(), ms("mean_ns"), ms("p50_ns"), ms("p90_ns"), ms("p99_ns"),
             ms("max_ns"));
}

int run(const Options& options) {
  const auto target = split_url(options.url);
  const auto seconds = seconds_of(options.duration);
  if (!target || !seconds) {
    fmt::print(stderr, "loadgen: {}\n",
               target ? "--duration wants 30s, 5m or 500ms" : "--url wants http://HOST:PORT/PATH");
    return 2;
  }
  const auto times = arrivals(options.rate, *seconds, options.seed);
  std::vector<Answer> answers(times.size());
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  // A head start, so that no thread is still being made when the first request is due.
  const auto start = Clock::now() + std::chrono::milliseconds(50);
  for (int i = 0; i < options.connections; ++i)
    threads.emplace_back([&] { drive(options, *target, times, start, next, answers); });
  for (std::thread& thread : threads)
    thread.join();
  const double wall = std::chrono::duration<double>(Clock::now() - start).count();
  const Json json = report(options, answers, wall);
  summarise(json);
  if (!options.json.empty()) {
    std::ofstream file(options.json + ".part");
    file << json.dump() << '\n';
    file.close();
    if (!file || std::rename((options.json + ".part").c_str(), options.json.c_str()) != 0) {
      fmt::print(stderr, "loadgen: {} could not be written\n", options.json);
      return 3;
    }
  }
  return json["ok"].get<std::size_t>() == answers.size() ? 0 : 1;
}

} // namespace
} // namespace loadgen

int main(int argc, char** argv) {
  loadgen::Options o;
  CLI::App app(
      "Open-loop load: Poisson arrivals, latency from the intended send time. Exit 1 when a request failed.\n"
      "Example: loadgen --url http://127.0.0.1:8190/v1/poster --rate 4 --duration 30s --seed 1 --json "
      "out.json");
  app.option_defaults()->always_capture_default();
  app.add_option("--url", o.url, "where to POST");
  app.add_option("--rate", o.rate, "requests a second, on average")->check(CLI::Range(1e-3, 1e6));
  app.add_option("--duration", o.duration, "how long requests are sent: 30s, 5m, 500ms");
  app.add_option("--seed", o.seed, "of the arrivals and of the pictures")
      ->check(CLI::Range(0, 1'000'000'000));
  app.add_option("--connections", o.connections, "requests under way at once, at most")
      ->check(CLI::Range(1, 4096));
  app.add_option("--timeout", o.timeout_s, "seconds to wait for an answer")->check(CLI::Range(0.01, 36000.0));
  app.add_option("--steps", o.steps, "denoising steps to ask for; 0: the service's own")
      ->check(CLI::Range(0, 100));
  app.add_option("--json", o.json, "write every latency and the percentiles here");
  CLI11_PARSE(app, argc, argv);
  return loadgen::run(o);
}
