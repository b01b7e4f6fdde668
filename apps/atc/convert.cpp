#include "atc/convert.hpp"

#include "atc/convert_report.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "graph/border.hpp"
#include "graph/guide.hpp"
#include "graph/model_file.hpp"
#include "graph/optimise.hpp"

#include <charconv>
#include <fmt/format.h>

namespace prof {
namespace {

namespace fs = std::filesystem;

// Where everything goes: the model beside the guide when --output names the guide.
struct Targets {
  fs::path model, guide, config;
};

Result<Targets> targets_of(const ConvertFlags& flags, Lang lang) {
  const std::string suffix = flags.output.extension().string();
  if (flags.output == "-" || suffix == ".onnx" || suffix == ".om") {
    Targets t{.model = flags.output, .guide = {}, .config = {}};
    if (!flags.is_guide) return t;
    if (flags.output == "-") return Error{Errc::bad_argument, say(lang, "atc.guide_needs_file"), {}};
    t.guide = fs::path(flags.output).replace_extension().concat("_profiler_guide.md");
    t.config = flags.output.parent_path() / "atc_profiler_config.yaml";
    return t;
  }
  if (suffix == ".md" && flags.is_guide)
    return Targets{.model = flags.output.parent_path() / (flags.model.stem().string() + "_atc.onnx"),
                   .guide = flags.output,
                   .config = flags.output.parent_path() / "atc_profiler_config.yaml"};
  return Error{Errc::bad_argument, say(lang, "atc.no_such_output"), flags.output.string()};
}

// Before any work: no output stands on an input, and each can be written.
Status check_targets(const ConvertFlags& flags, const Targets& targets, Lang lang) {
  for (const fs::path& target : {targets.model, targets.guide, targets.config}) {
    if (target.empty() || target == "-") continue;
    std::error_code none; // what does not exist is nobody's equal
    for (const fs::path& input : {flags.model, flags.fusion_config})
      if (!input.empty() && fs::equivalent(target, input, none))
        return Error{Errc::bad_argument, say(lang, "atc.replaces_input"), target.string()};
    if (auto probe = AtomicFile::create(target); !probe) return std::move(probe).error();
  }
  return {};
}

Status check_flags(const ConvertFlags& flags, Lang lang) {
  if (flags.precision == "int8" || flags.precision == "fp16")
    return Error{
        Errc::bad_argument, say(lang, "atc.no_precision", fmt::arg("precision", flags.precision)), {}};
  return {};
}

Result<FusionConfig> fusion_of(const ConvertFlags& flags) {
  if (flags.fusion_config.empty()) return FusionConfig{};
  constexpr std::int64_t kMaxConfig = 1 << 20;
  PROF_TRY(const std::string json, read_file(flags.fusion_config, kMaxConfig));
  auto config = parse_fusion_config(json);
  if (!config) return std::move(config).error().at(flags.fusion_config.string());
  return config;
}

Result<onnx::ModelProto> read_given(const ConvertFlags& flags, int& border_changes) {
  PROF_TRY(onnx::ModelProto model, read_model(flags.model));
  const auto layout = [](const std::string& name) { return name == "NHWC" ? Layout::nhwc : Layout::nchw; };
  // One of the two alone says nothing about a change.
  if (!flags.input_format.empty() && !flags.output_format.empty()) {
    PROF_TRY(border_changes,
             change_border_layout(model, layout(flags.input_format), layout(flags.output_format)));
  }
  return model;
}

Result<Conversion> convert(const ConvertFlags& flags, Lang lang) {
  Conversion c;
  PROF_TRY(const FusionConfig config, fusion_of(flags));
  PROF_TRY(onnx::ModelProto given, read_given(flags, c.border_changes));
  PROF_TRY(const std::string before, serialise(given));
  auto optimised = optimise(std::move(given), config);
  if (!optimised) return std::move(optimised).error().at(flags.model.string());
  c.optimised = *std::move(optimised);
  c.optimised.model.set_producer_name("atc (CANN Profiler)");
  PROF_TRY(c.bytes, serialise(c.optimised.model));
  c.bytes_before = static_cast<std::int64_t>(before.size());
  if (!flags.is_proof && flags.measure_runs == 0) return c;
  ProofOptions options = flags.proof;
  PROF_TRY(options.shapes, parse_input_shapes(flags.input_shape, lang));
  PROF_TRY(const Engine engine, Engine::open(flags.engine));
  if (flags.is_proof) {
    PROF_TRY(c.proof, prove_equal(engine, before, c.bytes, options));
  }
  if (flags.measure_runs > 0) {
    PROF_TRY(c.measured,
             measure(engine, {before, before, c.bytes},
                     {EngineLevel::none, EngineLevel::all, EngineLevel::all}, options, flags.measure_runs));
  }
  return c;
}

Status write_all(const ConvertFlags& flags, const Targets& targets, const Conversion& c, Context& context) {
  const std::string file = targets.model.extension() == ".om" ? to_container(c.bytes) : c.bytes;
  PROF_CHECK(write_file(targets.model, file));
  if (targets.model != "-") context.outputs.push_back(targets.model);
  if (targets.guide.empty()) return {};
  const Doc config = profiler_config(c.optimised, c.proof, targets.model.string(), sha256_hex(file));
  PROF_CHECK(write_file(targets.config, to_yaml(config)));
  PROF_CHECK(write_file(targets.guide,
                        guide_markdown(c, flags.model.string(), targets.model.string(), context.lang)));
  context.outputs.push_back(targets.config);
  context.outputs.push_back(targets.guide);
  return {};
}

void remember(const Conversion& c, Context& context) {
  context.facts["operators_before"] = std::to_string(c.optimised.nodes_before);
  context.facts["operators_after"] = std::to_string(c.optimised.nodes_after);
  for (const PassChange& change : c.optimised.changes)
    context.facts["pass." + std::string(change.pass->id)] = std::to_string(change.count);
  if (!c.measured.empty()) {
    context.facts["engine_off_ms"] = fmt::format("{}", c.measured[0].median_ms);
    context.facts["before_ms"] = fmt::format("{}", c.measured[1].median_ms);
    context.facts["after_ms"] = fmt::format("{}", c.measured[2].median_ms);
  }
}

} // namespace

Result<std::map<std::string, std::vector<std::int64_t>>> parse_input_shapes(std::string_view text,
                                                                            Lang lang) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  const Error wrong{Errc::bad_argument, say(lang, "atc.wrong_shape", fmt::arg("given", text)), {}};
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    const std::string_view item = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    // Names may hold colons: the last one separates.
    const auto colon = item.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return wrong;
    std::vector<std::int64_t> dims;
    for (const std::string& number : split_list(item.substr(colon + 1))) {
      std::int64_t value = 0;
      const auto [last, ec] = std::from_chars(number.data(), number.data() + number.size(), value);
      if (ec != std::errc{} || last != number.data() + number.size() || value < 0 || value > (1 << 24))
        return wrong;
      dims.push_back(value);
    }
    shapes[std::string(item.substr(0, colon))] = std::move(dims);
  }
  return shapes;
}

Exit run_convert(const ConvertFlags& flags, Context& context) {
  if (const Status ok = check_flags(flags, context.lang); !ok) return fail(context, ok.error());
  const auto targets = targets_of(flags, context.lang);
  if (!targets) return fail(context, targets.error());
  if (const Status ok = check_targets(flags, *targets, context.lang); !ok) return fail(context, ok.error());
  for (const fs::path& target : {targets->model, targets->guide, targets->config})
    for (const auto& [option, input] :
         {std::pair{"--model", flags.model}, std::pair{"--fusion_config", flags.fusion_config}})
      if (const Status fit = check_not_input(target, option, input, context); !fit)
        return fail(context, fit.error());
  if (!flags.is_proof) tell(context, text(context.lang, "atc.no_proof"));
  const auto conversion = convert(flags, context.lang);
  if (!conversion) return fail(context, conversion.error());
  context.inputs.push_back(flags.model);
  remember(*conversion, context);
  // With --output - standard output is the model.
  const auto report = [&](const std::string& words) {
    if (targets->model == "-")
      put_error(terminal_safe(words));
    else
      print(context, "{}", terminal_safe(words));
  };
  report(conversion_text(*conversion, flags.model.string(), context.lang));
  if (conversion->proof && !conversion->proof->is_equal()) {
    tell(context, text(context.lang, "atc.not_equal"));
    return Exit::no;
  }
  if (const Status written = write_all(flags, *targets, *conversion, context); !written)
    return fail(context, written.error());
  for (const fs::path& path : context.outputs)
    report(say(context.lang, "atc.written", fmt::arg("path", path.string())) + "\n");
  return Exit::ok;
}

} // namespace prof
