import Synchronization

/// Models, fragments, assets and persisted queries, as AEM has them, from files:
///
///     models/<configuration>/<name>.json               {"title": …, "fields": [{"name": …, "type": …}, …]}
///     content/dam/<site>/<language>/…/<fragment>.json  {"model": …, "fields": {…}, "variations": {…}}
///     content/dam/<site>/<language>/…/<asset>          any other file
///     persisted/<configuration>/<query>.graphql
///
/// A fragment's path is that of its file, without `.json`. A multi-line field holds a text or names a file beside the
/// fragment. `ContentFolder.md` among the articles has every member.
package final class ContentRepository: Sendable {
  private let files: any ContentFiles
  private let drawing: ContentAsset.Drawing?
  private let limits: ContentLimits
  private let current: Mutex<ContentGraph>
  /// Held while the files are read: what was read later is not replaced by what was read before.
  private let reading = Mutex(())

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - root: the folder; `nil` for the content that is built in.
  ///   - drawing: draws the pictures that have no file, as those of the built-in content.
  /// - Throws: everything that is wrong with the folder.
  package convenience init(
    root: String?, drawing: ContentAsset.Drawing? = nil, limits: ContentLimits = ContentLimits()
  ) throws(ContentProblems) {
    if let root {
      try self.init(DiskFiles(root: root, limits: limits), drawing: drawing, limits: limits)
    } else {
      try self.init(MemoryFiles.builtIn, drawing: drawing, limits: limits)
    }
  }

  /// Creates a repository from files in memory.
  ///
  /// - Parameter files: the contents, by their paths below the root: `models/site/article.json`.
  /// - Throws: all problems of the files.
  package convenience init(
    files: [String: [UInt8]], drawing: ContentAsset.Drawing? = nil, limits: ContentLimits = ContentLimits()
  ) throws(ContentProblems) {
    try self.init(MemoryFiles(files: files), drawing: drawing, limits: limits)
  }

  private init(
    _ files: any ContentFiles, drawing: ContentAsset.Drawing?, limits: ContentLimits
  ) throws(ContentProblems) {
    self.files = files
    self.drawing = drawing
    self.limits = limits
    let graph = try ContentLoader.load(files, limits: limits, drawing: drawing, previous: .empty)
    current = Mutex(graph)
  }

  /// The last state without problems.
  package var state: ContentState { ContentState(graph: current.withLock { $0 }) }

  /// The absolute paths of the folders to watch for changes of the content; empty for files in memory.
  package var folders: Set<String> { files.folders }

  /// Reads the files anew. What did not change is shared with the state before.
  ///
  /// - Returns: what is wrong with them. When there is something, the state stays as it was.
  @discardableResult
  package func reload() -> [ContentProblem] {
    reading.withLock { _ in
      do throws(ContentProblems) {
        let previous = current.withLock { $0 }
        let graph = try ContentLoader.load(files, limits: limits, drawing: drawing, previous: previous)
        current.withLock { $0 = graph }
        return []
      } catch {
        return error.problems
      }
    }
  }
}

/// Limits of a folder of content. A folder that exceeds one is not read, and the error names the limit.
package struct ContentLimits: Sendable, Hashable {
  /// Files of all kinds.
  package var files = 50_000
  /// The deepest nesting of folders below the root.
  package var depth = 24
  /// The size of a model, fragment, text or query, in bytes.
  package var fileBytes = 4 << 20
  /// The size of all models, fragments, texts and queries together, in bytes.
  package var totalBytes = 512 << 20
  /// The size of an asset that is read, in bytes.
  package var assetBytes = 256 << 20
  /// The most problems that are reported.
  package var problems = 100

  /// Creates the default limits.
  package init() {}
}
