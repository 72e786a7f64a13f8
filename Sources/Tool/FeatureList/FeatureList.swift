import Foundation
import PackagePlugin

/// Writes the list of features into each target that needs it, so that a feature is named once: in `Package.swift`.
///
/// A layer of a feature takes part by a type of the feature's name and the layer's, in a file of that name:
/// `Keyboard/Contract/Keyboard.swift`, `Keyboard/Host/KeyboardHost.swift`. A contract whose feature has a name that everybody
/// uses, such as `Data`, says `DataContract`. The order is that of the folders' names.
@main
struct FeatureList: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget, let layer = Layer(of: target.name) else { return [] }
    let types = Set(module.sourceFiles.compactMap { layer.type(declaredBy: $0.url) })
    let file = context.pluginWorkDirectoryURL.appending(path: "Features+\(layer.folder).swift")
    var text = layer.source(types: types.sorted())
    if target.name == "FeatureChecks" {
      text += "\n" + Layer.source(hosts: target.dependencies.compactMap(\.hostLayer))
    }
    return [
      .buildCommand(
        displayName: "Listing the features of \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", #"printf '%s\n' "$1" > "$2""#, "sh", text, file.path()], inputFiles: [], outputFiles: [file])
    ]
  }
}

/// One layer of the features, and what is generated for its target.
private struct Layer {
  /// The layer's folder in each feature.
  let folder: String
  /// What the name of the type has after the feature's. The commands themselves have the name in the singular.
  let suffix: String
  let imports: String
  let declaration: String
  let list: String
  let type: String
  let summary: String

  /// The layer that a target has; `nil` for a target that needs no list.
  init?(of target: String) {
    guard let layer = Self.ofTarget[target] ?? Self.hostLayer(target) else { return nil }
    self = layer
  }

  private init(
    folder: String, suffix: String, imports: String, declaration: String, list: String, type: String, summary: String
  ) {
    (self.folder, self.suffix, self.imports, self.declaration) = (folder, suffix, imports, declaration)
    (self.list, self.type, self.summary) = (list, type, summary)
  }

  /// The name of the features in a product with services: `content` of `ContentServices`.
  static func features(ofProduct product: String) -> String? {
    guard product.hasSuffix("Services") else { return nil }
    let name = product.dropLast("Services".count).lowercased()
    return name == "host" ? "standard" : name
  }

  private static func hostLayer(_ target: String) -> Layer? {
    features(ofProduct: target).map { name in
      Layer(
        folder: "Host", suffix: "Host", imports: "public import ExtensionHosting",
        declaration: "extension HostFeatures",
        list: "public static let \(name)", type: "HostFeatures", summary: "The features whose services `\(target)` has."
      )
    }
  }

  private static let ofTarget = [
    "Contracts": Layer(
      folder: "Contract", suffix: "", imports: "public import ExtensionProtocol",
      declaration: "/// The features that this package was built with.\npublic enum Features",
      list: "public static let contracts", type: "[any ServiceContract.Type]",
      summary: "What crosses the wire, one contract for each feature."),
    "AppExtensions": Layer(
      folder: "Extension", suffix: "Start", imports: "import Contracts\nimport ExtensionRuntime",
      declaration: "extension Features", list: "static let starts", type: "[any SessionStart.Type]",
      summary: "What features do when the session of an extension begins."),
    "FeatureChecks": Layer(
      folder: "Conformance", suffix: "Conformance",
      imports: "package import Conformance\npackage import Contracts\npackage import ExtensionHosting",
      declaration: "extension Features", list: "package static let conformance", type: "[any ConformanceFeature.Type]",
      summary: "What “host conform” tries, feature by feature."),
    "FeatureCommands": Layer(
      folder: "Command", suffix: "Commands", imports: "package import CommandRuntime\npackage import Contracts",
      declaration: "extension Features", list: "package static let commands", type: "[any CommandFeature.Type]",
      summary: "The features with the other commands of the tool."),
    "LightCommands": Layer(
      folder: "Command", suffix: "Commands", imports: "package import CommandRuntime\npackage import Contracts",
      declaration: "extension Features", list: "package static let lightCommands", type: "[any CommandFeature.Type]",
      summary: "The features whose commands need no server, client or database."),
  ]

  /// The type of the layer that a file declares; `nil` for any other file.
  func type(declaredBy file: URL) -> String? {
    let parts = file.pathComponents.suffix(3)
    guard parts.count == 3, let feature = parts.first, parts.dropFirst().first == folder else { return nil }
    if suffix.isEmpty, parts.last == "\(feature)\(folder).swift" { return feature + folder }
    return parts.last == "\(feature)\(suffix).swift" ? feature + suffix : nil
  }

  /// The generated file.
  func source(types: [String]) -> String {
    """
    // Generated from the folders of Sources/Features: see Sources/Tool/FeatureList.
    \(imports)

    \(declaration) {
      /// \(summary)
      \(list)\(type == "HostFeatures" ? "" : ": \(type)") = \(elements(types))
    }
    """
  }

  private func elements(_ types: [String]) -> String {
    let list = "[\(types.map { "\($0).self" }.joined(separator: ", "))]"
    return type == "HostFeatures" ? "HostFeatures(\(list))" : list
  }

  /// The part of a generated file that lists the features of all products with services.
  ///
  /// - Parameter products: the names of the products.
  static func source(hosts products: [String]) -> String {
    let lists = products.sorted().compactMap(features(ofProduct:)).map { ".\($0)" }.joined(separator: ", ")
    return """
      \(products.sorted().map { "import \($0)" }.joined(separator: "\n"))

      extension Features {
        /// Every feature with its service.
        package static let hosts = HostFeatures([\(lists)] as [HostFeatures])
      }
      """
  }
}

extension TargetDependency {
  /// The name of a target with services; `nil` for any other dependency.
  fileprivate var hostLayer: String? {
    guard case .target(let target) = self, Layer.features(ofProduct: target.name) != nil else { return nil }
    return target.name
  }
}
