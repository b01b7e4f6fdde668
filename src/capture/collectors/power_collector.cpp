// Power and temperature from the kernel's own interfaces: RAPL energy counters (powercap), hwmon sensors,
// thermal zones.
#include "capture/collector.hpp"
#include "capture/counters.hpp"
#include "capture/procfs.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace prof {
namespace {

using namespace literals;

constexpr Dur kPause = 200_ms;
constexpr double kMicro = 1e-6;

std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;
  for (auto it = std::filesystem::directory_iterator(folder, error);
       !error && it != std::filesystem::directory_iterator(); it.increment(error))
    entries.push_back(it->path());
  std::ranges::sort(entries);
  return entries;
}

std::string first_line(const std::filesystem::path& path) {
  std::string content = read_virtual_file(path).value_or("");
  content.resize(std::min(content.find('\n'), content.size()));
  return content;
}

struct Sensor {
  std::string name;
  std::filesystem::path file;
  double scale = 1; // to watt or celsius
  bool is_energy = false;
  double range = 0; // joule at which the counter begins again; 0 = not told
};

std::vector<Sensor> power_sensors(const std::filesystem::path& sys) {
  std::vector<Sensor> sensors;
  std::set<std::string> packages;
  for (const auto& zone : sorted_entries(sys / "class/powercap")) {
    // Packages only ("intel-rapl:0"): their parts ("intel-rapl:0:1") are contained in them, and they in the
    // whole platform ("psys"). A package may be told twice, by "intel-rapl" and by "intel-rapl-mmio".
    const std::string name = first_line(zone / "name");
    if (std::ranges::count(zone.filename().string(), ':') != 1 || name == "psys" ||
        !read_virtual_int(zone / "energy_uj") || !packages.insert(name).second)
      continue;
    sensors.push_back(
        {.name = "power " + name,
         .file = zone / "energy_uj",
         .scale = kMicro,
         .is_energy = true,
         .range = static_cast<double>(read_virtual_int(zone / "max_energy_range_uj").value_or(0)) * kMicro});
  }
  if (!sensors.empty()) return sensors;
  for (const auto& chip : sorted_entries(sys / "class/hwmon"))
    for (const auto& file : sorted_entries(chip))
      if (const auto name = file.filename().string(); name.starts_with("power") && name.ends_with("_input"))
        sensors.push_back({.name = "power " + first_line(chip / "name"), .file = file, .scale = kMicro});
  return sensors;
}

std::vector<Sensor> temperature_sensors(const std::filesystem::path& sys) {
  std::vector<Sensor> sensors;
  for (const auto& zone : sorted_entries(sys / "class/thermal"))
    if (zone.filename().string().starts_with("thermal_zone") && read_virtual_int(zone / "temp"))
      sensors.push_back(
          {.name = "temperature " + first_line(zone / "type"), .file = zone / "temp", .scale = 1e-3});
  if (!sensors.empty()) return sensors;
  for (const auto& chip : sorted_entries(sys / "class/hwmon"))
    for (const auto& file : sorted_entries(chip))
      if (const auto name = file.filename().string(); name.starts_with("temp") && name.ends_with("_input"))
        sensors.push_back({.name = "temperature " + first_line(chip / "name"), .file = file, .scale = 1e-3});
  return sensors;
}

// Sensors of one name (one for each core, each package) are told apart by their place in the list.
void number_doubles(std::vector<Sensor>& sensors) {
  std::map<std::string, int> seen;
  for (Sensor& sensor : sensors)
    if (const int number = ++seen[sensor.name]; number > 1) sensor.name += " " + std::to_string(number);
}

std::vector<SignalState> probe(const CaptureRequest& request) {
  SignalState power{.name = "power", .is_available = true};
  if (power_sensors(request.sys_root).empty())
    power = {.name = "power",
             .is_available = false,
             .reason = "signal.reason.no_power_sensor",
             .mend = "signal.mend.bare_metal",
             .detail = "no readable /sys/class/powercap/*/energy_uj and no hwmon power sensor"};
  SignalState energy = power;
  energy.name = "energy_per_request";
  SignalState temperature{.name = "temperature", .is_available = true};
  if (temperature_sensors(request.sys_root).empty())
    temperature = {.name = "temperature",
                   .is_available = false,
                   .reason = "signal.reason.no_temperature_sensor",
                   .mend = "signal.mend.bare_metal",
                   .detail = "no /sys/class/thermal/thermal_zone*/temp and no hwmon temperature sensor"};
  return {power, energy, temperature};
}

class Power final : public Collector {
public:
  explicit Power(const CaptureRequest& request)
      : power_(power_sensors(request.sys_root)), temperature_(temperature_sensors(request.sys_root)) {
    number_doubles(temperature_);
  }

  Status start(TraceSink& sink) override {
    poll(sink);
    return {};
  }
  void poll(TraceSink& sink) override {
    const Ts now = now_monotonic();
    if (!pace_.is_due(now)) return;
    if (const auto watts = read_power(now)) counters_.set(sink, "power", "watt", {}, now, *watts);
    last_ = now;
    std::optional<double> hottest;
    for (const Sensor& sensor : temperature_) {
      const auto value = read_virtual_int(sensor.file);
      if (!value) continue;
      const double celsius = static_cast<double>(*value) * sensor.scale;
      counters_.set(sink, sensor.name, "celsius", {}, now, celsius);
      hottest = std::max(hottest.value_or(celsius), celsius);
    }
    if (hottest) counters_.set(sink, "temperature", "celsius", {}, now, *hottest);
  }
  void stop(TraceSink& sink) override { counters_.finish(sink); }
  void on_processes(std::span<const std::int64_t>, TraceSink&) override {}

private:
  // Nothing when one of the sensors says nothing: the sum of the others is not the machine's.
  std::optional<double> read_power(Ts now) {
    double watts = 0;
    bool is_whole = !power_.empty();
    for (const Sensor& sensor : power_) {
      const auto value = read_virtual_int(sensor.file);
      is_whole = is_whole && value.has_value();
      if (!value) {
        joules_.erase(sensor.file); // what follows is no difference over one interval
        continue;
      }
      const double scaled = static_cast<double>(*value) * sensor.scale;
      if (!sensor.is_energy) {
        watts += scaled;
        continue;
      }
      const auto [it, is_new] = joules_.try_emplace(sensor.file, scaled);
      double used = scaled - it->second;
      it->second = scaled;
      if (used < 0) used += sensor.range; // the counter began again
      is_whole = is_whole && !is_new && used >= 0 && last_.ns != 0;
      if (is_whole) watts += used * 1e9 / static_cast<double>((now - last_).ns);
    }
    return is_whole ? std::optional(watts) : std::nullopt;
  }

  std::vector<Sensor> power_, temperature_;
  std::map<std::filesystem::path, double> joules_;
  CounterSet counters_;
  Pace pace_{kPause};
  Ts last_;
};

std::unique_ptr<Collector> create(const CaptureRequest& request) {
  return std::make_unique<Power>(request);
}

} // namespace

extern const CollectorInfo power_collector;
const CollectorInfo power_collector{.name = "power",
                                    .description = "capture.collector.power",
                                    .layer = Layer::hardware,
                                    .probe = probe,
                                    .create = create};

} // namespace prof
