// swift-tools-version: 6.2
import PackageDescription

/// The settings shared by every target, so that strictness cannot drift.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The optimization settings of debug builds.
///
/// With `HANDOVER_OPTIMIZED_TESTS`, all targets in which tests spend their time are optimized;
/// assertions stay enabled. The flags are opt-in because a package with unsafe flags cannot be a
/// dependency of other packages.
let optimized: [SwiftSetting] =
  Context.environment["HANDOVER_OPTIMIZED_TESTS"] == nil
  ? []
  : [
    // `-num-threads` emits one object file per source file, which matches what the index store
    // records, as in a build without whole-module optimization. Without whole-module optimization,
    // generic code is not specialized across files.
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"],
      .when(configuration: .debug))
  ]

/// The targets that property tests run repeatedly, and those that read and write their data.
let played: Set<String> = [
  "HandoverJSON",
  "HandoverMachines", "HandoverDispatcher", "HandoverScript", "HandoverTrace",
  "HandoverInterceptors", "HandoverThreadPoolMachine", "HandoverScenario", "HandoverEngine",
  "HandoverSimulation", "HandoverExploration", "HandoverShrinking", "HandoverFaults",
  "HandoverReference",
]

/// Declares a target of this package with the dependencies it may use (see Tests/SoundnessTests).
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: strict + (played.contains(name) ? optimized : []))
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

#if os(Linux)
  /// The Linux-only targets: those that call the kernel, and the command.
  ///
  /// Other platforms get only the libraries.
  let linuxTargets: [Target] = [
    .systemLibrary(
      name: "CNetlink", pkgConfig: "libnl-route-3.0",
      providers: [.apt(["libnl-3-dev", "libnl-route-3-dev"])]),
    .target(name: "CLinux"),
    // TLS and HTTP/2 for the servers of the command; no library product depends on them.
    .target(
      name: "CTLS", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .systemLibrary(
      name: "CHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
    // The files that the command embeds, and the commit that it was built from.
    .target(
      name: "CBundle",
      cSettings: (Context.environment["HANDOVER_COMMIT"] ?? "").isEmpty
        ? []
        : [.define("HANDOVER_COMMIT", to: "\"\(Context.environment["HANDOVER_COMMIT"] ?? "")\"")]),
    module("HandoverLinux", ["CNetlink", "CLinux"]),
    tests("HandoverLinuxTests", ["HandoverLinux"]),
    module("HandoverLab", ["HandoverCore", "HandoverBackend", "HandoverLinux", "HandoverTry"]),
    tests(
      "HandoverLabTests",
      ["HandoverCore", "HandoverTrace", "HandoverBackend", "HandoverLinux", "HandoverLab"]),
    // Servers that unmodified programs find in a lab.
    module(
      "HandoverLabServers",
      [
        "HandoverTry", "CTLS", "CHTTP2",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
    tests("HandoverLabServersTests", ["HandoverTry", "HandoverLinux", "HandoverLabServers"]),
    module(
      "HandoverNetlink",
      ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverLinux"]),
    module(
      "HandoverProcess",
      ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverBackend", "HandoverLinux"]),
    tests(
      "HandoverProcessTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend",
        "HandoverEngine",
        "HandoverSimulation", "HandoverLinux", "HandoverProcess",
      ]),
    tests(
      "HandoverNetlinkTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend",
        "HandoverEngine",
        "HandoverSimulation", "HandoverLinux", "HandoverNetlink",
      ]),
    // The command. HandoverLinux guards the threads that run its scenarios.
    .executableTarget(
      name: "handover",
      dependencies: [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario",
        "HandoverBackend", "HandoverEngine", "HandoverSimulation", "HandoverExploration",
        "HandoverShrinking", "HandoverFaults", "HandoverReference", "HandoverNIO",
        "HandoverReport", "HandoverTry", "HandoverLinux",
        "CBundle", "HandoverNetlink", "HandoverLab", "HandoverLabServers", "HandoverProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // Templates are text in other languages, which the command writes out.
      resources: [.embedInCode("Backends/RealTime")],
      swiftSettings: strict),
    tests(
      "CommandTests",
      [
        "handover", "HandoverLinux", "HandoverNetlink", "HandoverLab", "HandoverLabServers",
        "HandoverProcess",
      ]),
  ]
  /// The public libraries among these targets.
  let linuxProducts: [Product] = [
    .executable(name: "handover", targets: ["handover"]),
    .library(name: "HandoverNetlink", targets: ["HandoverNetlink", "HandoverLinux"]),
    .library(name: "HandoverLab", targets: ["HandoverLab"]),
    .library(name: "HandoverProcess", targets: ["HandoverProcess"]),
  ]
  /// The Linux-only targets that tests receive as arguments.
  let linuxArguments: [Target.Dependency] = ["HandoverLinux"]
#else
  let linuxTargets: [Target] = []
  let linuxProducts: [Product] = []
  let linuxArguments: [Target.Dependency] = []
#endif

/// Products that only the packages under Fixtures use, which request them by an environment
/// variable.
let fixtureProducts: [Product] =
  Context.environment["HANDOVER_FIXTURES"] == nil
  ? [] : [.library(name: "HandoverHTTPTesting", targets: ["HandoverHTTPTesting"])]

let package = Package(
  name: "handover",
  platforms: [.macOS(.v15)],
  products: [
    .library(
      name: "HandoverCore",
      targets: ["HandoverCore", "HandoverMachines", "HandoverDispatcher", "HandoverScript"]),
    .library(name: "HandoverInterceptors", targets: ["HandoverInterceptors"]),
    .library(name: "HandoverInterceptorRuntime", targets: ["HandoverInterceptorRuntime"]),
    .library(name: "HandoverScenario", targets: ["HandoverScenario", "HandoverJSON"]),
    .library(name: "HandoverBackend", targets: ["HandoverBackend"]),
    .library(name: "HandoverEngine", targets: ["HandoverEngine"]),
    .library(name: "HandoverSimulation", targets: ["HandoverSimulation"]),
    .library(name: "HandoverNIO", targets: ["HandoverNIO"]),
    .library(name: "HandoverTesting", targets: ["HandoverTesting"]),
    .library(name: "HandoverThreadPool", targets: ["HandoverThreadPool"]),
    .library(
      name: "HandoverURLDispatcher",
      targets: ["HandoverURLDispatcher", "HandoverDispatcher", "HandoverMachines"]),
  ] + linuxProducts + fixtureProducts,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // L0: JSON text, and pure state machines: those of calls, and those of requests above them.
    module("HandoverJSON"),
    module("HandoverMachines"),
    module("HandoverThreadPoolMachine"),
    module("HandoverDispatcher", ["HandoverMachines"]),
    // L0: what a run executes, and where timeline entries place the device.
    module("HandoverScript", ["HandoverMachines", "HandoverDispatcher"]),
    // L0: these three modules under one name.
    module("HandoverCore", ["HandoverMachines", "HandoverDispatcher", "HandoverScript"]),
    // L1: the trace of a run, and threads.
    module("HandoverTrace", ["HandoverJSON", "HandoverCore"]),
    // L1: the interceptor chain that calls pass through.
    module(
      "HandoverInterceptors",
      ["HandoverCore", .product(name: "DequeModule", package: "swift-collections")]),
    // L2: the same interceptor chain in real time.
    module("HandoverInterceptorRuntime", ["HandoverCore", "HandoverInterceptors"]),
    module("HandoverThreadPool", ["HandoverThreadPoolMachine"]),
    // L2: requests over real HTTP, admitted by the core and run by dedicated threads.
    module(
      "HandoverURLDispatcher", ["HandoverMachines", "HandoverDispatcher", "HandoverThreadPool"]),
    // L2: scenarios, the client under test, and the checker between them.
    module("HandoverScenario", ["HandoverJSON", "HandoverCore", "HandoverThreadPoolMachine"]),
    module("HandoverBackend", ["HandoverCore", "HandoverTrace"]),
    module(
      "HandoverEngine",
      ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend"]),
    // L3: adapters; they never depend on each other.
    module(
      "HandoverSimulation",
      [
        "HandoverCore", "HandoverTrace", "HandoverBackend", "HandoverInterceptors",
        "HandoverThreadPoolMachine",
      ]),
    module(
      "HandoverNIO",
      [
        "HandoverCore", "HandoverTrace", "HandoverBackend",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    module(
      "HandoverReport",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverEngine",
        "HandoverTry",
      ]),
    // L3: a verdict on an unmodified program, based on its observed traffic.
    module("HandoverTry", ["HandoverMachines"]),
    tests("HandoverTryTests", ["HandoverCore", "HandoverTry"]),
    // L0: the statements of the specifications as predicates over histories; it uses no state
    // machine.
    module("HandoverReference"),
    // L4: every state of a client in an arbitrary network, and every state of a whole simulated
    // world.
    module(
      "HandoverExploration",
      [
        "HandoverMachines", "HandoverDispatcher", "HandoverCore", "HandoverTrace",
        "HandoverScenario", "HandoverBackend", "HandoverSimulation",
      ]),
    tests(
      "HandoverExplorationTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation",
        "HandoverExploration", "HandoverShrinking", "HandoverFaults",
      ]),
    // L3: reduces a failing scenario to the smallest one that still fails.
    module(
      "HandoverShrinking", ["HandoverJSON", "HandoverCore", "HandoverScenario", "HandoverEngine"]),
    tests(
      "HandoverShrinkingTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation",
        "HandoverShrinking", "HandoverFaults", "HandoverDrawing",
      ]),
    // L4: mutants of clients and worlds, and the scenarios that kill them.
    module(
      "HandoverFaults",
      [
        "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverReference", "HandoverJSON",
      ]),
    tests(
      "HandoverFaultsTests",
      [
        "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverEngine",
        "HandoverSimulation", "HandoverExploration", "HandoverReference", "HandoverFaults",
      ]),
    // L4: scenarios in a user's own test suite.
    module(
      "HandoverTesting",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine", "HandoverReport",
      ]),
    tests(
      "HandoverTestingTests",
      [
        "HandoverCore", "HandoverBackend", "HandoverEngine", "HandoverSimulation",
        "HandoverFaults", "HandoverTesting",
      ]),
    tests("HandoverJSONTests", ["HandoverJSON", "HandoverCore", "HandoverScenario"]),
    tests("HandoverCoreTests", ["HandoverCore", "HandoverMachines", "HandoverFaults"]),
    tests("HandoverDispatcherTests", ["HandoverMachines", "HandoverDispatcher"]),
    tests("HandoverInterceptorsTests", ["HandoverCore", "HandoverInterceptors"]),
    tests(
      "HandoverInterceptorRuntimeTests",
      ["HandoverCore", "HandoverInterceptors", "HandoverInterceptorRuntime"]),
    tests("HandoverThreadPoolTests", ["HandoverThreadPool", "HandoverThreadPoolMachine"]),
    // A local server, and the behavior that a dispatcher must have over any HTTP client.
    .target(
      name: "HandoverHTTPTesting",
      dependencies: [
        "HandoverMachines", "HandoverDispatcher", "HandoverURLDispatcher",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/HandoverHTTPTesting", swiftSettings: strict),
    tests(
      "HandoverURLDispatcherTests",
      [
        "HandoverMachines", "HandoverDispatcher", "HandoverThreadPool", "HandoverURLDispatcher",
        "HandoverHTTPTesting",
      ]),
    tests(
      "HandoverSimulationTests",
      ["HandoverCore", "HandoverTrace", "HandoverBackend", "HandoverSimulation"]),
    tests(
      "HandoverNIOTests",
      [
        "HandoverCore", "HandoverTrace", "HandoverBackend", "HandoverNIO",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    // The core over real sockets on 127.0.0.1.
    tests("LiveLoopTests", ["HandoverCore"]),
    tests("HandoverScenarioTests", ["HandoverJSON", "HandoverCore", "HandoverScenario"]),
    tests(
      "HandoverTraceTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend",
        "HandoverEngine", "HandoverSimulation",
      ]),
    tests(
      "HandoverEngineTests",
      [
        "HandoverJSON", "HandoverMachines", "HandoverCore", "HandoverTrace", "HandoverScenario",
        "HandoverBackend", "HandoverEngine", "HandoverSimulation", "HandoverFaults",
      ]),
    tests(
      "HandoverReportTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend",
        "HandoverEngine", "HandoverSimulation", "HandoverReport", "HandoverTry", "HandoverFaults",
      ]),
    // Random scenarios with the results that the specifications predict, for the tests and for a
    // command that runs until it is stopped.
    .target(
      name: "HandoverDrawing",
      dependencies: ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation"],
      path: "Tests/HandoverDrawing", swiftSettings: strict + optimized),
    tests("HandoverDrawingTests", ["HandoverDrawing"]),
    .executableTarget(
      name: "drawn-runs", dependencies: ["HandoverDrawing"], path: "Tests/DrawnRuns",
      swiftSettings: strict),
    // The scenarios of this repository: how they are generated, and the pairs of flags.
    tests("CorpusTests", ["HandoverCore", "HandoverScenario"]),
    // Modified scenarios: every command must give the same result.
    tests(
      "AgreementTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverEngine",
        "HandoverSimulation", "HandoverShrinking", "HandoverReport",
      ]),
    // The schemas of scenarios and traces; a script next to the tests validates them.
    tests(
      "SchemaTests", ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario"],
      exclude: ["validate.py"]),
    // The display of test arguments, for all test targets.
    tests(
      "ArgumentTextTests",
      [
        "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverInterceptors",
        "HandoverThreadPool",
      ] + linuxArguments),
    // Project rules that no compiler checks; these tests only read text.
    tests("SoundnessTests", []),
  ] + linuxTargets
)

// A target that uses a module re-exported by a dependency must depend on that module as well.
// Otherwise a change to the module would not rebuild the target.
let exports = [
  "HandoverCore": ["HandoverMachines", "HandoverDispatcher", "HandoverScript"],
  "HandoverTrace": ["HandoverJSON"], "HandoverScenario": ["HandoverJSON"],
]
for target in package.targets {
  let names = target.dependencies.compactMap { dependency in
    if case .byNameItem(let name, _) = dependency { name } else { nil as String? }
  }
  var seen = Set(names)
  for name in names.flatMap({ exports[$0] ?? [] }) where seen.insert(name).inserted {
    target.dependencies.append(.byName(name: name))
  }
}
