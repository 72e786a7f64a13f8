// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Weather",
  dependencies: [.package(name: "annex", path: "../..")],
  targets: [
    .executableTarget(name: "Weather", dependencies: [.product(name: "AppExtensions", package: "annex")]),
    .executableTarget(name: "WeatherWidget", dependencies: [.product(name: "AppExtensions", package: "annex")]),
    .testTarget(
      name: "WeatherWidgetTests",
      dependencies: ["WeatherWidget", .product(name: "ExtensionTesting", package: "annex")]),
  ]
)
