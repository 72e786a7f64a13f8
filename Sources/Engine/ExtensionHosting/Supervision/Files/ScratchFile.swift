import CLinux
public import ExtensionProtocol
import Files
import Glibc
import Synchronization

/// A file that the host writes piece by piece into a scratch directory. The extension reads it when it is complete.
public final class ScratchFile: Sendable {
  /// The name of the file in the scratch directory.
  public let name: String
  private let path: String
  private let descriptor: Int32

  private struct State {
    var count = 0
    var error: Int32 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  init(name: String, in scratch: String, owner: ExtensionUser?) throws(ExtensionError) {
    let new: File.New
    do throws(FileError) {
      new = try File.create(beginning: "\(scratch)/\(name)")
    } catch {
      throw ExtensionError(error)
    }
    (descriptor, path) = (new.descriptor, new.path)
    self.name = String(path.dropFirst(scratch.count + 1))
    guard let owner, fchown(descriptor, owner.uid, owner.gid) != 0 else { return }
    let error = SystemError.last
    discard()
    throw ExtensionError(.cannot("write", path, error))
  }

  deinit { close() }

  /// The bytes written so far.
  public var count: Int { state.withLock { $0.count } }

  /// The error of the first failed write; `nil` without one.
  public var failure: ExtensionError? {
    let error = state.withLock { $0.error }
    return error == 0 ? nil : ExtensionError(.cannot("write", path, SystemError(error)))
  }

  /// Adds bytes at the end.
  ///
  /// - Returns: whether all of them were written.
  public func append(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return bytes.isEmpty }
      guard clinux_write_all(descriptor, bytes, bytes.count) == 0 else {
        state.error = errno
        return false
      }
      state.count += bytes.count
      return true
    }
  }

  /// Forgets what was written.
  public func reset() {
    state.withLock { state in
      guard !state.isClosed, state.count > 0 else { return }
      if ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0 { state.error = errno }
      state.count = 0
    }
  }

  /// The file is whole.
  public func finish() throws(ExtensionError) {
    close()
    if let failure { throw failure }
  }

  /// Closes and removes the file.
  public func discard() {
    close()
    unlink(path)
  }

  private func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      if Glibc.close(descriptor) != 0, state.error == 0 { state.error = errno }
    }
  }
}

extension Caller {
  /// A new file in the caller's scratch directory, to be written piece by piece.
  ///
  /// - Parameter name: what the file's name begins with: letters, digits and dashes.
  public func newFile(name: String) throws(ExtensionError) -> ScratchFile {
    try ScratchFile(name: name, in: process.scratchDirectory(), owner: process.owner)
  }
}
