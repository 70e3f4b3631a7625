// swift-tools-version: 6.2
import PackageDescription

// A gRPC client under test, and the library `GRPCTransitions`, which makes a gRPC client follow the
// network. They are a separate package, so that no other user has to build gRPC. `make clients`
// builds it.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "grpc-swift-client",
  platforms: [.macOS(.v15)],
  products: [.library(name: "GRPCTransitions", targets: ["GRPCTransitions"])],
  dependencies: [
    .package(name: "handover", path: "../../.."),
    .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(
      name: "GRPCTransitions",
      dependencies: [
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverNetlink", package: "handover"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "grpc-swift-client",
      dependencies: [
        "GRPCTransitions",
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverNetlink", package: "handover"),
        .product(name: "GRPCCore", package: "grpc-swift-2"),
        .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "GRPCTransitionsTests",
      dependencies: [
        "GRPCTransitions",
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
      ],
      swiftSettings: strict),
  ])
