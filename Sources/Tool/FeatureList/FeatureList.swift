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
    guard let module = target as? any SourceModuleTarget, let layer = Layer.ofTarget[target.name] else { return [] }
    let types = Set(module.sourceFiles.compactMap { layer.type(declaredBy: $0.url) })
    let file = context.pluginWorkDirectoryURL.appending(path: "Features+\(layer.folder).swift")
    let text = layer.source(types: types.sorted())
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
  let element: String
  let summary: String

  static let ofTarget = [
    "Contracts": Layer(
      folder: "Contract", suffix: "", imports: "public import ExtensionProtocol",
      declaration: "/// The features that this package was built with.\npublic enum Features",
      list: "public static let contracts", element: "ServiceContract",
      summary: "What crosses the wire, one contract for each feature."),
    "AppExtensions": Layer(
      folder: "Extension", suffix: "Start", imports: "import Contracts\nimport ExtensionRuntime",
      declaration: "extension Features", list: "static let starts", element: "SessionStart",
      summary: "What features do when the session of an extension begins."),
    "HostServices": Layer(
      folder: "Host", suffix: "Host", imports: "package import Contracts\npackage import ExtensionHosting",
      declaration: "extension Features", list: "package static let hosts", element: "HostFeature",
      summary: "How the services of the features are made."),
    "FeatureChecks": Layer(
      folder: "Conformance", suffix: "Conformance", imports: "package import Conformance\npackage import Contracts",
      declaration: "extension Features", list: "package static let conformance", element: "ConformanceFeature",
      summary: "What “host conform” tries, feature by feature."),
    "FeatureCommands": Layer(
      folder: "Command", suffix: "Commands", imports: "package import Contracts\npackage import HostCLI",
      declaration: "extension Features", list: "package static let commands", element: "CommandFeature",
      summary: "The commands of the tool, feature by feature."),
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
      \(list): [any \(element).Type] = [\(types.map { "\($0).self" }.joined(separator: ", "))]
    }
    """
  }
}
