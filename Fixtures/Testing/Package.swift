// swift-tools-version: 6.2
import PackageDescription

// How somebody else's package tests its own backend: with nothing but what is public.
let package = Package(
  name: "transport-tests",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "handover", path: "../..")],
  targets: [
    .testTarget(
      name: "TransportTests",
      dependencies: [
        .product(name: "HandoverTesting", package: "handover"),
        .product(name: "HandoverBackend", package: "handover"),
        .product(name: "HandoverSimulation", package: "handover"),
      ])
  ])
