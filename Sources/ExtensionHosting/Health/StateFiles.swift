import ExtensionProtocol
import Glibc
import JSONRPC

/// One small JSON file for each extension in a folder of the state directory, changed under a lock of its own.
struct StateFiles<Value: Codable & Sendable>: Sendable {
  let state: StateDirectory
  /// Relative to the state directory.
  let folder: String
  /// What an extension without a file has.
  let empty: Value

  func read(_ id: String) -> Value {
    guard let path = path(of: id), let bytes = SmallFile.read(path) else { return empty }
    return (try? JSONCoding.decode(Value.self, from: bytes)) ?? empty
  }

  func stamp(_ id: String) -> FileStamp? { path(of: id).flatMap { FileStamp($0) } }

  /// The identifiers that have a file.
  var identifiers: [String] {
    Folder.names(in: "\(state.path)/\(folder)", endingIn: ".json").map { String($0.dropLast(5)) }.sorted()
  }

  /// Reads, changes and replaces the file of an extension while nobody else does.
  ///
  /// - Throws: `storeFailed` when it cannot be written, or is locked for longer than a second.
  @discardableResult
  func change(_ id: String, _ body: (inout Value) -> Void) async throws(ExtensionError) -> Value {
    guard let path = path(of: id) else {
      throw ExtensionError(.storeFailed, "“\(id)” cannot be the name of a file.", recovery: "Use another identifier.")
    }
    _ = try state.folder(folder)
    let lock = try await lock("\(state.path)/\(folder)/.lock")
    defer { close(lock) }
    var value = read(id)
    body(&value)
    let bytes: [UInt8]
    do {
      bytes = try JSONCoding.encode(value)
    } catch {
      throw ExtensionError(.storeFailed, "Cannot write \(path): \(error)")
    }
    try SmallFile.replace(path, with: bytes)
    return value
  }

  private func path(of id: String) -> String? {
    let isName = !id.isEmpty && id.utf8.count <= 200 && !id.hasPrefix(".") && !id.contains("/") && !id.contains("\0")
    return isName ? "\(state.path)/\(folder)/\(id).json" : nil
  }

  /// - Returns: a descriptor that holds the lock until it is closed. Others hold it for the time of writing a file.
  private func lock(_ path: String) async throws(ExtensionError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw NewFile.failure(path, errno) }
    for _ in 0..<200 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      try? await ContinuousClock().sleep(for: .milliseconds(5))
    }
    close(descriptor)
    throw ExtensionError(
      .storeFailed, "\(path) is locked by another program.", recovery: "Try again, or end the host that holds it.")
  }
}
