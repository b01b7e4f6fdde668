// fields.hpp: the field numbers of Perfetto's messages that we write or read, one group per message. Source:
// Perfetto's public trace protos, v58. Numbers of a published message never change their meaning.
#pragma once
#include <cstdint>

namespace prof::pb {

using Field = std::uint32_t; // protozero's tag type

inline constexpr Field kTracePacket = 1; // Trace.packet

namespace packet {
inline constexpr Field kFtraceEvents = 1, kProcessTree = 2, kClockSnapshot = 6, kTimestamp = 8,
                       kSequenceId = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13,
                       kSyncMarker = 36, kIncrementalStateCleared = 41, kPreviousDropped = 42,
                       kProcessDescriptor = 43, kThreadDescriptor = 44, kCompressed = 50,
                       kGpuCounterEvent = 52, kGpuRenderStage = 53, kClockId = 58, kDefaults = 59,
                       kTrackDescriptor = 60, kModuleSymbols = 61, kPerfSample = 66, kFirstOnSequence = 87,
                       kTraceAttributes = 126, kGpuInfo = 128, kZstdCompressed = 133, kStackSample = 135;
inline constexpr std::uint32_t kFlagCleared = 1, kFlagNeedsState = 2;      // SequenceFlags
inline constexpr Field kTrustedUid = 3, kTrustedPid = 79, kMachineId = 98; // added by the service

// The kinds of packet that are read; each is a message.
constexpr bool is_payload(Field field) {
  switch (field) {
  case kFtraceEvents:
  case kProcessTree:
  case kClockSnapshot:
  case kTrackEvent:
  case kProcessDescriptor:
  case kThreadDescriptor:
  case kCompressed:
  case kGpuCounterEvent:
  case kGpuRenderStage:
  case kTrackDescriptor:
  case kModuleSymbols:
  case kPerfSample:
  case kTraceAttributes:
  case kGpuInfo:
  case kZstdCompressed:
  case kStackSample:
    return true;
  default:
    return false;
  }
}

// Numbers that stand beside the payload.
constexpr bool is_number(Field field) {
  switch (field) {
  case kTrustedUid:
  case kTimestamp:
  case kSequenceId:
  case kSequenceFlags:
  case kIncrementalStateCleared:
  case kPreviousDropped:
  case kClockId:
  case kTrustedPid:
  case kFirstOnSequence:
  case kMachineId:
    return true;
  default:
    return false;
  }
}
} // namespace packet

namespace clocks { // ClockSnapshot, Clock, BuiltinClock
inline constexpr Field kClocks = 1, kPrimary = 2;
inline constexpr Field kClockId = 1, kTimestamp = 2, kIsIncremental = 3, kMultiplier = 4;
inline constexpr std::uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6, kFirstUser = 64, kLastUser = 127;
} // namespace clocks

namespace defaults { // TracePacketDefaults and what it holds
inline constexpr Field kTrackEvent = 11, kPerfSample = 12, kClockId = 58, kStackSample = 100;
inline constexpr Field kTrackUuid = 11, kExtraCounters = 31, kExtraDoubleCounters = 45; // TrackEventDefaults
inline constexpr Field kTimebase = 1;                                                   // PerfSampleDefaults
inline constexpr Field kPeriod = 1, kFrequency = 2, kTracepoint = 3, kCounter = 4, kName = 10,
                       kTimestampClock = 11;
inline constexpr Field kTracepointName = 1;
inline constexpr Field kStackDescriptor = 2; // StackSampleDefaults
inline constexpr std::uint32_t kPerfClockMonotonic = 2;
} // namespace defaults

namespace track { // TrackDescriptor and what it holds
inline constexpr Field kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8,
                       kStaticName = 10, kAtraceName = 13, kDescription = 14, kSiblingMerge = 15;
inline constexpr std::uint32_t kMergeNone = 2;
inline constexpr Field kProcessPid = 1, kProcessCmdline = 2, kProcessName = 6;
inline constexpr Field kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
inline constexpr Field kCounterType = 1, kCounterUnit = 3, kCounterMultiplier = 4, kCounterIncremental = 5,
                       kCounterUnitName = 6;
} // namespace track

namespace event { // TrackEvent
inline constexpr Field kCategoryIids = 3, kAnnotations = 4, kLegacyEvent = 6, kType = 9, kNameIid = 10,
                       kTrackUuid = 11, kExtraCounterValues = 12, kTimestampAbsoluteUs = 16, kCategories = 22,
                       kName = 23, kCounterValue = 30, kExtraCounters = 31, kFlowIdsOld = 36,
                       kTerminatingFlowsOld = 42, kDoubleCounterValue = 44, kExtraDoubleCounters = 45,
                       kExtraDoubleValues = 46, kFlowIds = 47, kTerminatingFlows = 48, kCallstackIid = 56,
                       kGpuCorrelation = 3000;
inline constexpr Field kSubmissionIds = 1; // GpuCorrelation
inline constexpr std::uint32_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4, kState = 5;
inline constexpr Field kLegacyNameIid = 1, kLegacyPhase = 2, kLegacyDurationUs = 3; // LegacyEvent
} // namespace event

namespace annotation { // DebugAnnotation
inline constexpr Field kNameIid = 1, kBool = 2, kUint = 3, kInt = 4, kDouble = 5, kString = 6, kPointer = 7,
                       kLegacyJson = 9, kName = 10, kDict = 11, kArray = 12, kStringIid = 17;
}

namespace interned { // InternedData
inline constexpr Field kCategories = 1, kEventNames = 2, kAnnotationNames = 3, kFunctionNames = 5,
                       kFrames = 6, kCallstacks = 7, kBuildIds = 16, kMappingPaths = 17, kSourcePaths = 18,
                       kMappings = 19, kGraphicsContexts = 23, kGpuSpecs = 24, kAnnotationStrings = 29,
                       kGpuCounterDescriptors = 47, kComputeKernels = 1000, kComputeArgNames = 1001,
                       kTaskContexts = 48, kExecutionContexts = 49, kSampleDescriptors = 50;
inline constexpr Field kIid = 1, kText = 2;
} // namespace interned

namespace profile { // Mapping, Frame, Callstack, PerfSample, StackSample, ModuleSymbols
inline constexpr Field kMapBuildId = 2, kMapStartOffset = 3, kMapStart = 4, kMapEnd = 5, kMapPath = 7,
                       kMapExactOffset = 8;
inline constexpr Field kFrameFunction = 2, kFrameMapping = 3, kFrameRelPc = 4, kFrameSource = 5,
                       kFrameLine = 6, kFrameKind = 7;
inline constexpr Field kStackFrames = 2;
inline constexpr Field kSampleCpu = 1, kSamplePid = 2, kSampleTid = 3, kSampleStack = 4, kSampleCount = 6;
inline constexpr Field kTaskContext = 1, kTaskContextIid = 2, kExecution = 3, kExecutionIid = 4,
                       kInlineStack = 5, kStackIid = 6, kDescriptor = 9, kDescriptorIid = 10,
                       kWeight = 11;                                                       // StackSample
inline constexpr Field kTaskPid = 2, kTaskTid = 3, kExecutionCpu = 2, kDescriptorName = 2; // their contexts
inline constexpr Field kModulePath = 1, kModuleBuildId = 2, kModuleAddresses = 3, kAddress = 1, kLines = 2;
inline constexpr Field kLineFunction = 1, kLineFile = 2, kLineNumber = 3;
} // namespace profile

namespace gpu { // GpuRenderStageEvent, GpuInfo, GpuCounterEvent
inline constexpr Field kEventId = 1, kDuration = 2, kContext = 5, kGpuId = 11, kQueueIid = 13, kStageIid = 14,
                       kName = 17, kKernelIid = 19, kNameIid = 20, kLaunch = 21;
inline constexpr Field kGrid = 1, kWorkgroup = 2, kLaunchArgs = 3;
inline constexpr Field kArgNameIid = 1, kArgName = 2, kArgInt = 3, kArgUint = 4, kArgDouble = 5,
                       kArgString = 6, kArgStringIid = 7;
inline constexpr Field kSpecName = 2, kSpecDescription = 3,
                       kSpecCategory = 4; // InternedGpuRenderStageSpecification
inline constexpr std::uint32_t kCategoryOther = 0, kCategoryCompute = 2;
inline constexpr Field kContextPid = 2, kContextApi = 3;
inline constexpr Field kGpus = 1, kGpuName = 1, kGpuExtra = 6, kExtraKey = 1, kExtraValue = 2;
inline constexpr Field kCounterDescriptor = 1, kCounters = 2, kCounterGpuId = 3, kCounterDescriptorIid = 4;
inline constexpr Field kInternedDescriptor = 2, kInternedGpuId = 3;
inline constexpr Field kCounterSpecs = 1, kCounterSpecId = 1, kCounterSpecName = 2, kCounterSpecUnit = 7;
inline constexpr Field kCounterId = 1, kCounterInt = 2, kCounterDouble = 3;
} // namespace gpu

namespace ftrace { // FtraceEventBundle, FtraceEvent, CompactSched
inline constexpr Field kCpu = 1, kEvent = 2, kCompactSched = 4, kClock = 5;
inline constexpr Field kTimestamp = 1, kPid = 2, kSwitch = 4, kWakeup = 17, kWaking = 20;
inline constexpr Field kPrevComm = 1, kPrevPid = 2, kPrevPrio = 3, kPrevState = 4, kNextComm = 5,
                       kNextPid = 6, kNextPrio = 7;
inline constexpr Field kWakingComm = 1, kWakingPid = 2, kWakingPrio = 3, kWakingSuccess = 4, kWakingCpu = 5;
inline constexpr Field kSwTimestamp = 1, kSwPrevState = 2, kSwNextPid = 3, kSwNextPrio = 4, kInternTable = 5,
                       kSwNextComm = 6, kWkTimestamp = 7, kWkPid = 8, kWkCpu = 9, kWkPrio = 10, kWkComm = 11,
                       kWkFlags = 12;
} // namespace ftrace

namespace attributes { // TraceAttributes
inline constexpr Field kAttribute = 1, kKey = 1, kLong = 2, kString = 3;
}
namespace process_tree {
inline constexpr Field kProcesses = 1, kThreads = 2;
inline constexpr Field kPid = 1, kCmdline = 3;
inline constexpr Field kTid = 1, kThreadName = 2, kTgid = 3;
} // namespace process_tree

// Keys of trace_attributes that carry rows Perfetto has no message for (docs/tracefile.md).
inline constexpr char kOurPrefix[] = "cann.";
inline constexpr char kLayerKey[] =
    "cann.layer"; // also an annotation of slices whose layer is not their category's
inline constexpr char kArgPrefix[] = "cann.arg."; // before a key of the caller's that begins with kOurPrefix
inline constexpr char kFormatKey[] = "cann.format";
inline constexpr std::int64_t kFormatVersion = 1;
inline constexpr char kSyncMarkerBytes[] = "\x82\x47\x7a\x76\xb2\x8d\x42\xba\x81\xdc\x33\x32\x6d\x57\xa0\x79";

} // namespace prof::pb
