import ExtensionProtocol
import Files
import Synchronization

/// A small file of the host's state that is read with every start: read again only when it has changed.
final class CachedStateFile<Content: StateContent>: Sendable {
  private struct Known {
    var stamp: FileStamp?
    var content: Content?
  }

  private let file: StateFile<Content>
  private let known = Mutex<Known?>(nil)

  init(_ file: StateFile<Content>) { self.file = file }

  /// What the file holds now; `nil` when there is none. One look at the file's stamp while it has not changed.
  ///
  /// - Throws: `storeFailed` when it cannot be read, or is damaged and such files are refused.
  func load() throws(ExtensionError) -> Content? {
    // Before the contents: who changes the file in between is read again the next time.
    let stamp = file.stamp
    if let known = known.withLock({ $0 }), known.stamp == stamp { return known.content }
    let content = try file.load()
    known.withLock { $0 = Known(stamp: stamp, content: content) }
    return content
  }

  /// Changes the file while nobody else can.
  ///
  /// - Throws: as ``StateFile/change(or:_:)``.
  func change<Result>(
    or empty: Content, _ body: (inout Content) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    try await file.change(or: empty, body)
  }
}
