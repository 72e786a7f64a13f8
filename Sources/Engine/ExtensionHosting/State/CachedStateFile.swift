import ExtensionProtocol
import Files
import Synchronization

/// A small file of the host's state that is read with every start: read again only when it has changed.
final class CachedStateFile<Content: StateContent>: Sendable {
  /// What the file held when it was last read.
  struct Reading: Sendable {
    /// `nil` when there was none, or none that could be used.
    var content: Content?
    /// How often it has been read.
    var generation: UInt64 = 0
  }

  private struct Known {
    var stamp: FileStamp?
    /// Whether a later change must show in another stamp; else the file is read again.
    var isSettled = true
    var reading = Reading()
  }

  private let file: StateFile<Content>
  private let isSettled: @Sendable (_ path: String) -> Bool
  private let known = Mutex(Known())

  /// - Parameter isSettled: whether a later change of the file must show in another stamp.
  init(
    _ file: StateFile<Content>,
    isSettled: @escaping @Sendable (_ path: String) -> Bool = { ManifestStamp($0)?.isSettled ?? true }
  ) {
    (self.file, self.isSettled) = (file, isSettled)
  }

  /// What the file holds now; `nil` when there is none. One look at the file's stamp while it has not changed.
  ///
  /// - Throws: `storeFailed` when it cannot be read, or is damaged and such files are refused.
  func load() throws(ExtensionError) -> Content? {
    try reading { () throws(ExtensionError) in try file.load() }.content
  }

  /// Reads a file that is not essential: a file that cannot be used is reported once and treated as absent.
  func read() -> Reading { reading { () throws(Never) in file.read() } }

  private func reading<Failure: Error>(_ look: () throws(Failure) -> Content?) throws(Failure) -> Reading {
    // The stamp is taken before the contents, so that a change in between is read the next time.
    let stamp = file.stamp
    return try known.withLock { known throws(Failure) in
      if known.stamp == stamp, known.isSettled { return known.reading }
      let isSettled = isSettled(file.path)
      let content = try look()
      if known.stamp != stamp || known.reading.content != content { known.reading.generation += 1 }
      known.reading.content = content
      // What cannot be used is reported once.
      (known.stamp, known.isSettled) = (stamp, isSettled || content == nil)
      return known.reading
    }
  }

  /// Changes the file under its lock.
  ///
  /// - Throws: as ``StateFile/change(or:_:)``.
  func change<Result>(
    or empty: Content, _ body: (inout Content) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    try await file.change(or: empty, body)
  }
}
