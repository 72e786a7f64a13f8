import Files
import GraphQL

/// Finds the files of a schema or a connector.
enum SourceDiscovery {
  private static let depth = 16
  private static let files = 5_000
  private static let bytes = 16 << 20

  /// All `.gql` and `.graphql` files in a folder and those below it, sorted by their paths. Folders whose names begin
  /// with a dot, such as `.dataconnect`, are passed over.
  static func read(_ folder: String, into problems: inout [CompilerProblem]) -> [GraphQLSource] {
    var paths: [String] = []
    collect(folder, depth: 0, into: &paths)
    if paths.count > files {
      add(
        "There are more than \(files) files below this folder.", folder, "Move what is not source elsewhere.", &problems
      )
      return []
    }
    var (sources, left): ([GraphQLSource], Int) = ([], bytes)
    for path in paths.sorted(byName: \.self) {
      do {
        let content = try File.read(path, limit: left)
        left -= content.count
        sources.append(GraphQLSource(bytes: content, name: path))
      } catch {
        add(error.message, path, error.recovery, &problems)
      }
    }
    return sources
  }

  private static func add(_ message: String, _ file: String, _ fix: String?, _ problems: inout [CompilerProblem]) {
    let location = SourceLocation(file: file, line: 1, column: 1)
    problems.append(CompilerProblem(.error, message, fix: fix, code: ConfigurationFile.code, at: location))
  }

  private static func collect(_ folder: String, depth: Int, into paths: inout [String]) {
    for name in Folder.names(in: folder) where !name.hasPrefix(".") && paths.count <= files {
      let path = "\(folder)/\(name)"
      let isSource = name.hasSuffix(".gql") || name.hasSuffix(".graphql")
      // Links to folders are not followed, as they may lead back.
      switch FileStatus(path)?.kind {
      case .directory where depth < Self.depth: collect(path, depth: depth + 1, into: &paths)
      case .regular where isSource: paths.append(path)
      case .link where isSource && FileStatus(path, followsLink: true)?.kind == .regular: paths.append(path)
      default: break
      }
    }
  }
}
