// swift-tools-version: 6.2
import PackageDescription

// HTTP clients that are no part of a toolchain, in front of which the URL dispatcher stands; a
// package of its own, so that nobody else pays for them. `make http` builds and tests it.
//
// The server and the contract of all transports are shared with the main package. They are a
// product of that package only where HANDOVER_FIXTURES is set, as `make http` does.
let package = Package(
  name: "http-clients",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "AsyncHTTPClientTransport", targets: ["AsyncHTTPClientTransport"])
  ],
  dependencies: [
    .package(name: "handover", path: "../.."),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(
      name: "AsyncHTTPClientTransport",
      dependencies: [
        .product(name: "HandoverCore", package: "handover"),
        .product(name: "HandoverURLDispatcher", package: "handover"),
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]),
    .testTarget(
      name: "AsyncHTTPClientTransportTests",
      dependencies: [
        "AsyncHTTPClientTransport",
        .product(name: "HandoverHTTPTesting", package: "handover"),
      ]),
  ])
