// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "__APP__",
  dependencies: [__ANNEX__],
  targets: [
    .executableTarget(name: "__APP__", dependencies: [.product(name: "AppExtensions", package: "__ANNEX_PACKAGE__")]),
    .executableTarget(name: "__NAME__", dependencies: [.product(name: "AppExtensions", package: "__ANNEX_PACKAGE__")]),
    .testTarget(
      name: "__NAME__Tests",
      dependencies: ["__NAME__", .product(name: "ExtensionTesting", package: "__ANNEX_PACKAGE__")]),
  ]
)
