// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "MoviesSDK",
  platforms: [.iOS(.v17), .macOS(.v14), .watchOS(.v10), .tvOS(.v17)],
  products: [
    .library(name: "MoviesSDK", targets: ["MoviesSDK"])
  ],
  dependencies: [
    .package(name: "annex", path: "../../../..")
  ],
  targets: [
    .target(
      name: "MoviesSDK",
      dependencies: [.product(name: "DataConnect", package: "annex")],
      path: "Sources")
  ],
  swiftLanguageModes: [.v6]
)
