import CLinux
import Contracts
import ExtensionHosting
package import ExtensionProtocol
package import Files
import Glibc
import JSON
import Text

/// The folder where an app's documents lie, as the host sees it: it belongs to the extensions, which may put links
/// anywhere in it. Nothing here follows one.
package struct DocumentStorage: Sendable {
  /// The kinds of content at a path.
  package enum Presence: Sendable, Equatable {
    case nothing
    case placeholder
    /// A regular file, with its size in bytes.
    case content(Int64)
    /// A link, a folder, a device.
    case foreign
  }

  /// The largest document, in bytes: what the sandbox lets an extension write into one file.
  package static let limit = 64 << 20

  /// The app group's container, an absolute path.
  package let container: String
  /// The folder as extensions name it.
  package let reference: FileProvider.Storage
  /// The user of the app, with whose rights everything is opened; `nil` when that is the host's own.
  let user: FileUser?

  /// Creates the storage below a container.
  package init(container: String, reference: FileProvider.Storage, user: FileUser? = nil) {
    self.container = container
    self.reference = reference
    self.user = user
  }

  /// Creates the folder when it is missing.
  package func make() throws(ExtensionError) { close(try folder([])) }

  /// Returns whether a document, its placeholder or neither is at a path.
  package func presence(of path: String) throws(ExtensionError) -> Presence {
    try DocumentPath.check(path)
    let found = look(path)
    if found == .nothing, case .content = look(DocumentPath.placeholder(of: path)) { return .placeholder }
    return found
  }

  /// Whether a document's placeholder is there.
  package func hasPlaceholder(of path: String) -> Bool {
    if case .content = look(DocumentPath.placeholder(of: path)) { return true }
    return false
  }

  /// Reads the metadata in a document's placeholder.
  package func metadata(of path: String) throws(ExtensionError) -> FileProvider.Metadata {
    try DocumentPath.check(path)
    let bytes = try read(relative: DocumentPath.placeholder(of: path), limit: 64 << 10)
    do {
      return try JSONCoding.decode(FileProvider.Metadata.self, from: bytes)
    } catch {
      throw .document(.placeholderWritten, "The placeholder of “\(path)” is damaged: \(error).")
    }
  }

  /// The bytes of a document.
  ///
  /// - Throws: `invalidParams` for a path that leads over a link, or to no regular file; `limitExceeded`.
  package func read(_ path: String) throws(ExtensionError) -> [UInt8] {
    try DocumentPath.check(path)
    return try read(relative: path, limit: Self.limit)
  }

  /// Writes a document, at once or not at all, with the folders above it.
  package func write(_ bytes: [UInt8], to path: String) throws(ExtensionError) {
    try DocumentPath.check(path)
    try replace(path, with: bytes)
  }

  /// Writes the placeholder of a document.
  ///
  /// - Returns: its path.
  package func writePlaceholder(
    of path: String, _ metadata: FileProvider.Metadata
  ) throws(ExtensionError) -> String {
    try DocumentPath.check(path)
    guard metadata.name.utf8.count <= 1024, (metadata.size ?? 0) >= 0 else {
      throw ExtensionError(.invalidParams, "The name or the size of the placeholder is out of bounds.")
    }
    let placeholder = DocumentPath.placeholder(of: path)
    do {
      try replace(placeholder, with: Array(JSONCoding.value(of: metadata).description.utf8))
    } catch {
      throw ExtensionError(wrapping: error)
    }
    return placeholder
  }

  private func read(relative path: String, limit: Int) throws(ExtensionError) -> [UInt8] {
    do {
      return try GrantedFile.read(
        "\(reference.path)/\(path)", limit: limit, in: container, as: user, from: "the file provider")
    } catch {
      guard error.code == .invalidParams else { throw error }
      throw .document(.readableFile, error.message)
    }
  }

  private func look(_ path: String) -> Presence {
    let descriptor = clinux_open_beneath(container, "\(reference.path)/\(path)", user.rights)
    guard descriptor >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .foreign }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return .foreign }
    return .content(Int64(info.st_size))
  }

  // MARK: - Writing

  /// Opens a folder below the storage over no link, in which the app's user may write.
  private func folder(_ components: [Substring]) throws(ExtensionError) -> Int32 {
    let path = (reference.path.pathParts() + components).joined(separator: "/")
    let folder = clinux_make_folder_beneath(container, path, user.rights)
    guard folder >= 0 else { throw Self.failure(path) }
    return folder
  }

  private func replace(_ path: String, with bytes: [UInt8]) throws(ExtensionError) {
    let folder = try folder(path.pathParts().dropLast())
    defer { close(folder) }
    var info = stat()
    guard fstat(folder, &info) == 0 else { throw Self.failure(path) }
    let name = DocumentPath.name(of: path)
    let part = ".\(String(UInt64.random(in: 0...(.max)), radix: 36)).part"
    let file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Self.failure(path) }
    let isWritten =
      fchown(file, info.st_uid, info.st_gid) == 0 && clinux_write_all(file, bytes, bytes.count) == 0
    let error = errno
    close(file)
    guard isWritten, renameat(folder, part, folder, name) == 0 else {
      let error = isWritten ? errno : error
      unlinkat(folder, part, 0)
      errno = error
      throw Self.failure(path)
    }
  }

  private static func failure(_ path: String) -> ExtensionError {
    let reason = SystemError.last.description
    return [ELOOP, ENOTDIR, EXDEV].contains(errno)
      ? .document(.readableFile, "“\(path)” leads over a link: \(reason).")
      : ExtensionError(.storeFailed, "Cannot write “\(path)” in the document storage: \(reason).")
  }
}
