// swift-tools-version: 6.2
import PackageDescription

#if os(Linux)
  /// Targets that measure the backend on real sockets.
  ///
  /// They need network namespaces.
  let linuxTargets: [Target] = [
    .systemLibrary(name: "CMalloc"),
    .executableTarget(
      name: "livebench",
      dependencies: [
        "CMalloc",
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverBackend", package: "handover"),
        .product(name: "HandoverNIO", package: "handover"),
        .product(name: "HandoverNetlink", package: "handover"),
        .product(name: "HandoverLab", package: "handover"),
      ]),
    .executableTarget(
      name: "processbench",
      dependencies: [
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverBackend", package: "handover"),
        .product(name: "HandoverProcess", package: "handover"),
      ]),
  ]
  /// The library that reports how much of the heap is in use.
  let malloc: [Target.Dependency] = ["CMalloc"]
#else
  let linuxTargets: [Target] = []
  let malloc: [Target.Dependency] = []
#endif

// The benchmarks are a separate package, so that a build or test of the main package does not build
// them.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "handover", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverInterceptors", package: "handover"),
        .product(name: "HandoverScenario", package: "handover"),
        .product(name: "HandoverBackend", package: "handover"),
        .product(name: "HandoverEngine", package: "handover"),
        .product(name: "HandoverSimulation", package: "handover"),
      ] + malloc),
    .executableTarget(
      name: "niobench",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "poolbench",
      dependencies: [
        .product(name: "HandoverThreadPool", package: "handover"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
  ] + linuxTargets)
