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
  "HandoverCore", "HandoverReference", "HandoverInterceptors", "HandoverScenario",
  "HandoverEngine", "HandoverSimulation", "HandoverExploration",
]

/// Declares a target of this package with the dependencies it may use (see Tests/SoundnessTests).
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: resources,
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
    module("HandoverNetlink", ["HandoverCore", "HandoverScenario", "HandoverLinux"]),
    module("HandoverLab", ["HandoverCore", "HandoverBackend", "HandoverLinux", "HandoverTry"]),
    // Servers that unmodified programs find in a lab.
    module(
      "HandoverLabServers",
      [
        "HandoverCore", "HandoverTry", "CTLS", "CHTTP2",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
    tests(
      "HandoverLabTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverTry", "HandoverLinux", "HandoverNetlink", "HandoverLab",
        "HandoverLabServers",
      ]),
    module("HandoverProcess", ["HandoverCore", "HandoverBackend", "HandoverLinux"]),
    tests(
      "HandoverProcessTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverLinux", "HandoverProcess",
      ]),
    // The command. HandoverLinux guards the threads that run its scenarios.
    .executableTarget(
      name: "handover",
      dependencies: [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverExploration", "HandoverReference", "HandoverNIO",
        "HandoverReport", "HandoverTry", "HandoverLinux", "CBundle", "HandoverNetlink",
        "HandoverLab", "HandoverLabServers", "HandoverProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      // Templates are text in other languages, which the command writes out.
      resources: [.embedInCode("Backends/RealTime"), .embedInCode("Backends/VirtualTime")],
      swiftSettings: strict),
    tests(
      "CommandTests",
      [
        "handover", "HandoverLinux", "HandoverNetlink", "HandoverLab", "HandoverLabServers",
        "HandoverProcess", .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
    .library(name: "HandoverCore", targets: ["HandoverCore"]),
    .library(name: "HandoverInterceptors", targets: ["HandoverInterceptors"]),
    .library(name: "HandoverScenario", targets: ["HandoverScenario"]),
    .library(name: "HandoverBackend", targets: ["HandoverBackend"]),
    .library(name: "HandoverEngine", targets: ["HandoverEngine"]),
    .library(name: "HandoverSimulation", targets: ["HandoverSimulation"]),
    .library(name: "HandoverNIO", targets: ["HandoverNIO"]),
    .library(name: "HandoverTesting", targets: ["HandoverTesting"]),
    .library(name: "HandoverThreadPool", targets: ["HandoverThreadPool"]),
    .library(name: "HandoverURLDispatcher", targets: ["HandoverURLDispatcher"]),
  ] + linuxProducts + fixtureProducts,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // L0: JSON text, the pure state machines, scripts, and the trace of a run.
    module("HandoverCore"),
    // L0: the statements of the specifications as predicates over histories; it uses no state
    // machine.
    module("HandoverReference"),
    // L1: the interceptor chain that calls pass through, also in real time.
    module(
      "HandoverInterceptors",
      ["HandoverCore", .product(name: "DequeModule", package: "swift-collections")]),
    // L1: threads for blocking work.
    module("HandoverThreadPool", ["HandoverCore"]),
    // L2: requests over real HTTP, admitted by the core and run by these threads.
    module("HandoverURLDispatcher", ["HandoverCore", "HandoverThreadPool"]),
    // L1: a verdict on an unmodified program, based on its observed traffic.
    module("HandoverTry", ["HandoverCore"]),
    // L2: scenarios, the client under test, and the checker between them.
    module("HandoverScenario", ["HandoverCore"]),
    module("HandoverBackend", ["HandoverCore"]),
    module("HandoverEngine", ["HandoverCore", "HandoverScenario", "HandoverBackend"]),
    // L3: adapters; they never depend on each other.
    module("HandoverSimulation", ["HandoverCore", "HandoverBackend", "HandoverInterceptors"]),
    module(
      "HandoverNIO",
      [
        "HandoverCore", "HandoverBackend",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    module(
      "HandoverReport", ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverTry"],
      // Styles and scripts of the pages.
      resources: [.embedInCode("Pages")]),
    // L4: every state of a client in an arbitrary network and of a whole simulated world, injected
    // bugs that scenarios must detect, the reduction of a failing scenario, and random timelines
    // for unmodified programs.
    module(
      "HandoverExploration",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverReference", "HandoverTry",
      ]),
    // L4: scenarios in a user's own test suite.
    module(
      "HandoverTesting",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine", "HandoverReport",
      ]),
    // A local server, and the behavior that a dispatcher must have over any HTTP client.
    .target(
      name: "HandoverHTTPTesting",
      dependencies: [
        "HandoverCore", "HandoverURLDispatcher",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/HandoverHTTPTesting", swiftSettings: strict),
    // Random scenarios with the results that the specifications predict, for the tests and for a
    // command that runs until it is stopped.
    .target(
      name: "HandoverDrawing",
      dependencies: ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation"],
      path: "Tests/HandoverDrawing", swiftSettings: strict + optimized),
    .executableTarget(
      name: "drawn-runs", dependencies: ["HandoverDrawing"], path: "Tests/DrawnRuns",
      swiftSettings: strict),
    tests(
      "HandoverCoreTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverExploration",
      ]),
    tests("HandoverInterceptorsTests", ["HandoverCore", "HandoverInterceptors"]),
    tests(
      "HandoverURLDispatcherTests",
      ["HandoverCore", "HandoverThreadPool", "HandoverURLDispatcher", "HandoverHTTPTesting"]),
    tests("HandoverScenarioTests", ["HandoverCore", "HandoverScenario"]),
    tests(
      "HandoverEngineTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverExploration",
      ]),
    tests("HandoverSimulationTests", ["HandoverCore", "HandoverBackend", "HandoverSimulation"]),
    tests(
      "HandoverNIOTests",
      [
        "HandoverCore", "HandoverBackend", "HandoverNIO",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    tests(
      "HandoverReportTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverReport", "HandoverTry", "HandoverExploration",
        "HandoverTesting",
      ]),
    tests(
      "HandoverExplorationTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine",
        "HandoverSimulation", "HandoverTry", "HandoverExploration", "HandoverReference",
        "HandoverDrawing",
      ]),
    // The scenarios of this repository and their schemas, the display of test arguments, and
    // modified scenarios: every command must give the same result.
    tests(
      "CorpusTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation",
        "HandoverExploration", "HandoverInterceptors", "HandoverThreadPool", "HandoverReport",
      ] + linuxArguments,
      exclude: ["Schema/validate.py"]),
    // The rules for this repository's own sources.
    tests("SoundnessTests", []),
  ] + linuxTargets
)
