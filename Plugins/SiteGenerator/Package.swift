// swift-tools-version: 6.3
import PackageDescription

/// A host app with an extension point of its own, as a package outside of Annex: it uses nothing but Annex's products.
let package = Package(
  name: "SiteGenerator",
  dependencies: [.package(name: "annex", path: "../..")],
  targets: [
    .target(
      name: "SitePlugins",
      dependencies: [
        .product(name: "Contracts", package: "annex"), .product(name: "ExtensionProtocol", package: "annex"),
      ]),
    .executableTarget(
      name: "site",
      dependencies: [
        "SitePlugins", .product(name: "BundleInstalling", package: "annex"),
        .product(name: "ExtensionHosting", package: "annex"),
        .product(name: "ContentServices", package: "annex"), .product(name: "NetworkServices", package: "annex"),
      ]),
  ]
    + ["Asking", "Crashing", "Markdown", "Tables", "Trips"].map { renderer in
      .executableTarget(
        name: renderer, dependencies: ["SitePlugins", .product(name: "AppExtensions", package: "annex")])
    },
  swiftLanguageModes: [.v6]
)
