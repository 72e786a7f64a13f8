import Foundation
import PackagePlugin

/// Writes the list of features into each target that needs it, so that a feature is named once: in `Package.swift`.
///
/// A layer of a feature takes part by a type of the feature's name and the layer's, in a file of that name:
/// `Keyboard/Contract/Keyboard.swift`, `Keyboard/Host/KeyboardHost.swift`. The order is that of the folders' names.
@main
struct FeatureList: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget, let layer = Layer(target: target.name) else { return [] }
    let folders = Set(module.sourceFiles.compactMap { layer.feature(declaredBy: $0.url) })
    let file = context.pluginWorkDirectoryURL.appending(path: "Features+\(layer.folder).swift")
    let text = layer.source(types: folders.sorted().map(layer.typeName(of:)))
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
  private let imports: String
  private let opening: String
  private let element: String
  private let list: String
  private let summary: String

  init?(target: String) {
    switch target {
    case "Contracts":
      folder = "Contract"
      imports = "public import ExtensionProtocol"
      opening = "/// The features that this package was built with.\npublic enum Features {"
      (element, list) = ("ServiceContract", "public static let contracts")
      summary = "What crosses the wire, one contract for each feature."
    case "HostServices":
      folder = "Host"
      imports = "package import Contracts"
      opening = "extension Features {"
      (element, list) = ("HostFeature", "package static let hosts")
      summary = "How the services of the features are made."
    default: return nil
    }
  }

  /// The feature whose layer a file declares; `nil` for any other file.
  func feature(declaredBy file: URL) -> String? {
    let parts = file.pathComponents.suffix(3)
    guard parts.count == 3, let feature = parts.first, parts.dropFirst().first == folder else { return nil }
    return parts.last == "\(typeName(of: feature)).swift" ? feature : nil
  }

  /// The type that stands for the layer of a feature.
  func typeName(of feature: String) -> String { folder == "Contract" ? feature : feature + folder }

  /// The generated file.
  func source(types: [String]) -> String {
    """
    // Generated from the folders of Sources/Features: see Sources/FeatureList.
    \(imports)

    \(opening)
      /// \(summary)
      \(list): [any \(element).Type] = [\(types.map { "\($0).self" }.joined(separator: ", "))]
    }
    """
  }
}
