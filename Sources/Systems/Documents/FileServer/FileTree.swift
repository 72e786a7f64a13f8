import CLinux
import Files
import Glibc
import HTTP
import Text

/// The files below a folder. No path leaves it, and no link is followed.
package struct FileTree: Sendable {
  /// A failed operation, with the HTTP status for the answer.
  package struct Failure: Error, Sendable {
    /// The HTTP status of the answer.
    package var status: Int
    /// The sentence that the answer contains.
    package var message: String
  }

  struct Entry: Sendable, Equatable {
    var name: String
    var isFolder: Bool
    var size: Int64
  }

  /// The largest file, in bytes.
  static let limit = 64 << 20

  private let root: String

  init(_ root: String) throws(Failure) {
    guard let resolved = File.resolved(root) else { throw Self.failure(root) }
    self.root = resolved
    close(try open(""))
  }

  /// The path that a request names, relative to the root; `nil` for what is none.
  static func path(decoding text: String) -> String? {
    guard let path = PercentEncoding.decoded(text), !path.utf8.contains(0) else { return nil }
    let parts = path.pathParts()
    return parts.contains { $0 == "." || $0 == ".." } ? nil : parts.joined(separator: "/")
  }

  func entry(_ path: String) throws(Failure) -> Entry {
    let descriptor = try open(path)
    defer { close(descriptor) }
    return try Self.entry(descriptor, named: path.pathParts().last.map(String.init) ?? "")
  }

  /// Returns the files and folders of a folder, sorted by name; hidden ones and other kinds of files are omitted.
  func entries(_ path: String) throws(Failure) -> [Entry] {
    let descriptor = try open(path)
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      throw Self.failure(path)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = String(decoding: entry.nameBytes, as: UTF8.self)
      if !name.hasPrefix(".") { names.append(name) }
    }
    var entries: [Entry] = []
    for name in names.sorted() {
      // What went away, or is a link, is left out.
      guard let file = try? open(path.isEmpty ? name : "\(path)/\(name)") else { continue }
      defer { close(file) }
      if let entry = try? Self.entry(file, named: name) { entries.append(entry) }
    }
    return entries
  }

  /// The bytes of a file, or of a part of it, and the size of the whole.
  func read(_ path: String, _ range: ClosedRange<Int64>?) throws(Failure) -> (bytes: [UInt8], size: Int64) {
    let descriptor = try open(path)
    defer { close(descriptor) }
    let entry = try Self.entry(descriptor, named: path)
    guard !entry.isFolder else { throw Failure(status: 404, message: "“\(path)” is a folder.") }
    let first = range?.lowerBound ?? 0
    let last = min(range?.upperBound ?? .max, entry.size - 1)
    guard first <= last, last - first < Self.limit else {
      if first > last { return ([], entry.size) }
      throw Failure(status: 413, message: "“\(path)” is too large to be sent at once.")
    }
    var bytes = [UInt8](repeating: 0, count: Int(last - first) + 1)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(first)) }
    guard count >= 0 else { throw Self.failure(path) }
    bytes.removeLast(bytes.count - count)
    return (bytes, entry.size)
  }

  /// Writes a file at once or not at all.
  func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let (folder, name) = try parent(of: path)
    defer { close(folder) }
    let part = ".part-\(UInt64.random(in: 0...(.max)))"
    let file = openat(folder, part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Self.failure(path) }
    let isWritten = clinux_write_all(file, bytes, bytes.count) == 0
    close(file)
    guard isWritten, renameat(folder, part, folder, name) == 0 else {
      let failure = Self.failure(path)
      unlinkat(folder, part, 0)
      throw failure
    }
  }

  func remove(_ path: String) throws(Failure) {
    let (folder, name) = try parent(of: path)
    defer { close(folder) }
    guard unlinkat(folder, name, 0) == 0 else { throw Self.failure(path) }
  }

  private func parent(of path: String) throws(Failure) -> (folder: Int32, name: String) {
    let parts = path.pathParts()
    guard let name = parts.last else { throw Failure(status: 409, message: "The path is the folder itself.") }
    return (try open(parts.dropLast().joined(separator: "/")), String(name))
  }

  private func open(_ path: String) throws(Failure) -> Int32 {
    let descriptor = clinux_open_beneath(root, path.isEmpty ? "." : path, clinux_user())
    guard descriptor >= 0 else { throw Self.failure(path) }
    return descriptor
  }

  private static func entry(_ descriptor: Int32, named name: String) throws(Failure) -> Entry {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw failure(name) }
    let kind = info.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else { throw Failure(status: 404, message: "“\(name)” is not a file.") }
    return Entry(name: name, isFolder: kind == S_IFDIR, size: kind == S_IFDIR ? 0 : Int64(info.st_size))
  }

  private static func failure(_ path: String) -> Failure {
    let status =
      switch errno {
      case ENOENT, ENOTDIR, ELOOP, EXDEV: 404
      case EACCES, EPERM: 403
      case ENAMETOOLONG: 400
      case ENOSPC, EDQUOT: 507
      case EISDIR, EEXIST, ENOTEMPTY: 409
      default: 500
      }
    return Failure(status: status, message: "“\(path)”: \(SystemError.last).")
  }
}
