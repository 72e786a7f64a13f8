import Synchronization

/// Models, fragments, assets and persisted queries of a folder, as AEM has them.
package final class ContentRepository: Sendable {
  private let current: Mutex<ContentState>

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - root: the folder; `nil` for the content that is built in.
  ///   - drawing: draws the pictures of the built-in content.
  /// - Throws: everything that is wrong with the folder.
  package init(
    root: String?, drawing: ContentAsset.Drawing? = nil, limits: ContentLimits = ContentLimits()
  ) throws(ContentProblems) {
    current = Mutex(ContentState())
  }

  /// The last state without problems.
  package var state: ContentState { current.withLock { $0 } }

  /// The folders whose changes may change the content, by their absolute paths; none for the built-in content.
  package var folders: Set<String> { [] }

  /// Reads the folder anew. What did not change is shared with the state before.
  ///
  /// - Returns: what is wrong with the folder. When there is something, the state stays as it was.
  @discardableResult
  package func reload() -> [ContentProblem] { [] }
}
