import Foundation
import PackagePlugin

/// Writes files into a target, so that the program needs none beside it: the clients and the templates of `Plugins` for
/// `host new`, the built-in content for the content server, and the style and scripts of the page.
@main
struct EmbeddedFiles: BuildToolPlugin {
  /// By the name of the target: a folder of the package and the folders in it.
  private static let folders: [String: (root: String, folders: [String])] = [
    "Authoring": ("Plugins", ["Clients", "Templates"]),
    "HostPage": ("Sources/Features/HostPage", ["Assets"]),
    "ContentRepository": ("Sources/Systems/Content/ContentRepository/WKND", ["content", "models", "persisted"]),
  ]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let (rootPath, folders) = Self.folders[target.name] else { return [] }
    let root = context.package.directoryURL.appending(path: rootPath)
    let paths = folders.flatMap { Self.paths(in: $0, of: root) }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFile+All.swift")
    return [
      .buildCommand(
        displayName: "Embedding files into \(target.name)", executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", Self.script, "sh", output.path(), root.path()] + paths,
        inputFiles: paths.map { root.appending(path: $0) }, outputFiles: [output])
    ]
  }

  /// Each text is a raw literal, as it is; the last line feed is added back where it is read.
  private static let script = #####"""
    output=$1; root=$2; shift 2
    {
      printf 'import Files\n\nextension EmbeddedFile {\n  static let written: [EmbeddedFile] = [\n'
      for path; do
        printf 'EmbeddedFile(path: "%s", literal: ####"""\n' "$path"
        cat "$root/$path"
        printf '"""####),\n'
      done
      printf '  ]\n}\n'
    } > "$output"
    """#####

  private static func paths(in folder: String, of root: URL) -> [String] {
    let start = root.appending(path: folder)
    guard let walk = FileManager.default.enumerator(atPath: start.path()) else { return [] }
    return walk.compactMap { $0 as? String }.filter { path in
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: start.appending(path: path).path(), isDirectory: &isFolder)
      return isThere && !isFolder.boolValue && !path.contains("__pycache__") && !path.hasPrefix(".")
    }.map { "\(folder)/\($0)" }.sorted()
  }
}
