#include "atc/convert.hpp"
#include "common/flags.hpp"

#include <fmt/format.h>
#include <memory>

namespace prof {
namespace {

// CLI::Range would print 1e-9 as 0.000000.
std::string is_tolerance(const std::string& value) {
  double number = 0;
  const bool is_read = CLI::detail::lexical_cast(value, number);
  return is_read && number >= 1e-9 && number <= 1 ? "" : fmt::format("{} is not between 1e-9 and 1", value);
}

std::function<Exit()> declare(CLI::App& app, Context& context) {
  auto flags = std::make_shared<ConvertFlags>();
  const auto help = [&](const char* id) { return std::string(text(context.lang, id)); };
  const auto layouts = choice(context, {"NCHW", "NHWC"});
  app.add_option("--model", flags->model, help("atc.opt.model"))->required();
  app.add_option("--output", flags->output, help("atc.opt.output"))->required();
  app.add_option("--input_format", flags->input_format, help("atc.opt.input_format"))->check(layouts);
  app.add_option("--output_format", flags->output_format, help("atc.opt.output_format"))->check(layouts);
  app.add_option("--fusion_config", flags->fusion_config, help("atc.opt.fusion_config"));
  app.add_option("--precision", flags->precision, help("atc.opt.precision"))
      ->check(choice(context, {"origin", "fp32", "fp16", "int8"}));
  app.add_option("--generate_profiler_guide", flags->is_guide, help("atc.opt.guide"));
  app.add_option("--proof", flags->is_proof, help("atc.opt.proof"));
  app.add_option("--tolerance", flags->proof.tolerance, help("atc.opt.tolerance"))
      ->check(is_tolerance)
      ->capture_default_str();
  app.add_option("--seed", flags->proof.seed, help("atc.opt.seed"))
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--input_shape", flags->input_shape, help("atc.opt.input_shape"));
  app.add_option("--measure", flags->measure_runs, help("atc.opt.measure"))
      ->check(in_range(context, 1, 100'000));
  app.add_option("--engine", flags->engine, help("atc.opt.engine"));
  return [flags, &context] { return run_convert(*flags, context); };
}

} // namespace

extern const Verb convert_verb;
const Verb convert_verb{
    .name = "convert",
    .summary = "atc.convert",
    .example =
        "atc convert --model sd3_original.onnx --input_format NCHW --output_format NCHW --output sd3_nchw.om",
    .declare = declare};

} // namespace prof
