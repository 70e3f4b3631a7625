// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target of this package; one constant, so that none is laxer than another.
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

/// What debug builds optimise: with `HANDOVER_OPTIMIZED_TESTS` all that tests spend their time in,
/// assertions kept.
///
/// Unsafe flags keep other packages from depending on this one, so only who asks has them.
let optimized: [SwiftSetting] =
  Context.environment["HANDOVER_OPTIMIZED_TESTS"] == nil
  ? []
  : [
    // A thread each for two files: what the index is told fits files then, as it does without the
    // whole module. Without it, nothing that is generic is made special beyond its file.
    .unsafeFlags(
      ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"],
      .when(configuration: .debug))
  ]

/// What property tests play again and again, and what reads and writes all they play.
let played: Set<String> = [
  "HandoverJSON",
  "HandoverMachines", "HandoverDispatcher", "HandoverScript", "HandoverTrace",
  "HandoverInterceptors", "HandoverThreadPoolMachine", "HandoverScenario", "HandoverEngine",
  "HandoverSimulation", "HandoverExploration", "HandoverShrinking", "HandoverFaults",
  "HandoverReference",
]

/// A target of the package's own, with the arrows it may follow (see Tests/SoundnessTests).
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
  /// What speaks to the kernel, and the command that joins it; other platforms have the libraries.
  let linuxTargets: [Target] = [
    .systemLibrary(
      name: "CNetlink", pkgConfig: "libnl-route-3.0",
      providers: [.apt(["libnl-3-dev", "libnl-route-3-dev"])]),
    .target(name: "CLinux"),
    // Files that the command carries along, and the commit that it is built from.
    .target(
      name: "CBundle",
      cSettings: (Context.environment["HANDOVER_COMMIT"] ?? "").isEmpty
        ? []
        : [.define("HANDOVER_COMMIT", to: "\"\(Context.environment["HANDOVER_COMMIT"] ?? "")\"")]),
    module("HandoverLinux", ["CNetlink", "CLinux"]),
    tests("HandoverLinuxTests", ["HandoverLinux"]),
    module("HandoverLab", ["HandoverCore", "HandoverBackend", "HandoverLinux", "HandoverTry"]),
    tests(
      "HandoverLabTests", ["HandoverCore", "HandoverBackend", "HandoverLinux", "HandoverLab"]),
    // Servers that unmodified programs find in a lab.
    module(
      "HandoverLabServers",
      [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ]),
    tests("HandoverLabServersTests", ["HandoverLabServers"]),
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
    // The command. Its threads guard their runs by what HandoverLinux has of the kernel.
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
  /// What of it is for others to build on.
  let linuxProducts: [Product] = [
    .executable(name: "handover", targets: ["handover"]),
    .library(name: "HandoverNetlink", targets: ["HandoverNetlink", "HandoverLinux"]),
    .library(name: "HandoverLab", targets: ["HandoverLab"]),
    .library(name: "HandoverProcess", targets: ["HandoverProcess"]),
  ]
  /// What of it tests have as arguments.
  let linuxArguments: [Target.Dependency] = ["HandoverLinux"]
#else
  let linuxTargets: [Target] = []
  let linuxProducts: [Product] = []
  let linuxArguments: [Target.Dependency] = []
#endif

/// What only the packages under Fixtures build on; they say so, and nobody else sees it.
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
    // L0: JSON as a text, and pure machines: those of calls, and those of requests above them.
    module("HandoverJSON"),
    module("HandoverMachines"),
    module("HandoverThreadPoolMachine"),
    module("HandoverDispatcher", ["HandoverMachines"]),
    // L0: what a run plays, and where entries put the device.
    module("HandoverScript", ["HandoverMachines", "HandoverDispatcher"]),
    // L0: these three under one name.
    module("HandoverCore", ["HandoverMachines", "HandoverDispatcher", "HandoverScript"]),
    // L1: what a run leaves behind, and threads.
    module("HandoverTrace", ["HandoverJSON", "HandoverCore"]),
    // L1: the chain that calls go through.
    module(
      "HandoverInterceptors",
      ["HandoverCore", .product(name: "DequeModule", package: "swift-collections")]),
    // L2: the same chain in real time.
    module("HandoverInterceptorRuntime", ["HandoverCore", "HandoverInterceptors"]),
    module("HandoverThreadPool", ["HandoverThreadPoolMachine"]),
    // L2: requests over real HTTP, admitted by the core and run by threads of one's own.
    module(
      "HandoverURLDispatcher", ["HandoverMachines", "HandoverDispatcher", "HandoverThreadPool"]),
    // L2: what is written, what is under test, and the judge between them.
    module("HandoverScenario", ["HandoverJSON", "HandoverCore", "HandoverThreadPoolMachine"]),
    module("HandoverBackend", ["HandoverCore", "HandoverTrace"]),
    module(
      "HandoverEngine",
      ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend"]),
    // L3: adapters; siblings never see each other.
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
    // L3: a verdict on a program nobody adapted, from what was seen of it.
    module("HandoverTry", ["HandoverMachines"]),
    tests("HandoverTryTests", ["HandoverCore", "HandoverTry"]),
    // L0: the documents' sentences as predicates over histories; it knows no machine.
    module("HandoverReference"),
    // L4: every state of a client, in a network that may do anything, and of a whole world.
    module(
      "HandoverExploration",
      [
        "HandoverMachines", "HandoverDispatcher", "HandoverCore", "HandoverTrace",
        "HandoverBackend", "HandoverSimulation",
      ]),
    tests(
      "HandoverExplorationTests",
      [
        "HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation",
        "HandoverExploration", "HandoverShrinking",
      ]),
    // L3: a scenario that fails, made as small as it can be.
    module(
      "HandoverShrinking", ["HandoverJSON", "HandoverCore", "HandoverScenario", "HandoverEngine"]),
    tests(
      "HandoverShrinkingTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation",
        "HandoverShrinking", "HandoverDrawing",
      ]),
    // L4: clients and worlds with one thing wrong, and what convicts them.
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
    // L4: scenarios in somebody's own test suite.
    module(
      "HandoverTesting",
      [
        "HandoverCore", "HandoverScenario", "HandoverBackend", "HandoverEngine", "HandoverReport",
      ]),
    tests(
      "HandoverTestingTests",
      [
        "HandoverCore", "HandoverBackend", "HandoverEngine", "HandoverSimulation",
        "HandoverTesting",
      ]),
    tests("HandoverJSONTests", ["HandoverJSON", "HandoverCore", "HandoverScenario"]),
    tests("HandoverCoreTests", ["HandoverCore", "HandoverMachines"]),
    tests("HandoverDispatcherTests", ["HandoverMachines", "HandoverDispatcher"]),
    tests("HandoverInterceptorsTests", ["HandoverCore", "HandoverInterceptors"]),
    tests(
      "HandoverInterceptorRuntimeTests",
      ["HandoverCore", "HandoverInterceptors", "HandoverInterceptorRuntime"]),
    tests("HandoverThreadPoolTests", ["HandoverThreadPool", "HandoverThreadPoolMachine"]),
    // A server on this machine, and what a dispatcher must do over whatever HTTP client.
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
        "HandoverBackend", "HandoverEngine", "HandoverSimulation",
      ]),
    tests(
      "HandoverReportTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverBackend",
        "HandoverEngine", "HandoverSimulation", "HandoverReport", "HandoverTry",
      ]),
    // Scenarios drawn by lot, with what the documents foretell of them; for the tests, and for a
    // command that draws as long as it is told to.
    .target(
      name: "HandoverDrawing",
      dependencies: ["HandoverCore", "HandoverScenario", "HandoverEngine", "HandoverSimulation"],
      path: "Tests/HandoverDrawing", swiftSettings: strict + optimized),
    tests("HandoverDrawingTests", ["HandoverDrawing"]),
    .executableTarget(
      name: "drawn-runs", dependencies: ["HandoverDrawing"], path: "Tests/DrawnRuns",
      swiftSettings: strict),
    // The scenarios of this repository: how they are written, and the pairs of flags.
    tests("CorpusTests", ["HandoverCore", "HandoverScenario"]),
    // Changed scenarios: every command has the same result.
    tests(
      "AgreementTests",
      [
        "HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverEngine",
        "HandoverSimulation", "HandoverShrinking", "HandoverReport",
      ]),
    // The schemas of scenarios and traces; the judge is a script beside the tests.
    tests(
      "SchemaTests", ["HandoverJSON", "HandoverCore", "HandoverTrace", "HandoverScenario"],
      exclude: ["validate.py"]),
    // How arguments of tests are shown, for all test targets.
    tests(
      "ArgumentTextTests",
      [
        "HandoverCore", "HandoverTrace", "HandoverScenario", "HandoverInterceptors",
        "HandoverThreadPool",
      ] + linuxArguments),
    // The rules of the house that no compiler checks; looks at texts only.
    tests("SoundnessTests", []),
  ] + linuxTargets
)

// What a target sees because another one that it depends on exports it is its dependency too: else
// what was built of it would stay as it is where that changes.
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
