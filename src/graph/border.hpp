// border.hpp: the layout in which a model takes its pictures and gives its maps.
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <onnx/onnx_pb.h>

namespace prof {

enum class Layout : std::uint8_t { nchw, nhwc };

// Changes every 4-D float input and output from one layout to the other by a Transpose at the border, so that
// the model keeps its meaning and the layout pass may take the Transpose further in. Returns how many were
// changed. Error: unsupported (a nested graph reads an input, whose name then means something else).
[[nodiscard]] Result<int> change_border_layout(onnx::ModelProto& model, Layout from, Layout to);

} // namespace prof
