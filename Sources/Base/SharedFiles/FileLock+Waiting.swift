internal import EventLoop
package import Files

extension FileLock {
  /// Locks a file, and waits until it can: on a thread of its own, so that neither an event loop nor a thread of the
  /// concurrency library stands still. A task that was cancelled waits as well.
  ///
  /// - Parameters:
  ///   - path: the lock file, which is made when it does not exist.
  ///   - limit: the longest time to wait.
  /// - Throws: `FileError`; `locked` when the limit has passed.
  package static func take(_ path: String, within limit: Duration) async throws(FileError) -> FileLock {
    try await take(path, within: limit) { wait in await SystemThread.run(name: "file-lock", wait) }
  }
}
