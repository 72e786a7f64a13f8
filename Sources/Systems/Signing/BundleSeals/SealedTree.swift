import Cryptography
import Files
import Glibc
import Text

/// What one name of a bundle is.
package enum SealedEntry: Sendable, Equatable {
  /// A file: its permissions, its bytes, and their SHA-256.
  case file(mode: UInt32, size: Int64, digest: [UInt8])
  /// A folder with its permissions.
  case folder(mode: UInt32)
  /// A symbolic link, with what it holds.
  case link(target: String)
}

/// What can be wrong with one name of a bundle that is compared with its seal.
package struct SealChange: Sendable, Equatable, CustomStringConvertible {
  /// The sorts of change.
  package enum Kind: String, Sendable {
    case content, mode, kind, target
    case added, missing
    /// It cannot be part of any seal: a device, a name that is no text, a second name of the same file.
    case refused
    /// It cannot be read, or changed while it was read.
    case unreadable
  }

  /// The path in the bundle; `.` for the bundle itself.
  package let path: String
  /// The sort of change.
  package let kind: Kind
  /// What changed, in a few words.
  package let detail: String

  /// Describes a change.
  package init(_ path: String, _ kind: Kind, _ detail: String) {
    (self.path, self.kind, self.detail) = (path, kind, detail)
  }

  /// The path and what changed.
  package var description: String { "\(path): \(detail)" }
}

/// The names below a folder, each with what it is but for the content of files.
package struct SealedTree: Sendable {
  /// A name before its content was read.
  package enum Shape: Sendable, Equatable {
    case file(mode: UInt32, size: Int64)
    case folder(mode: UInt32)
    case link(target: String)
  }

  /// The most names of a bundle.
  package static let maximumEntries = 20_000
  private static let maximumDepth = 32
  private static let longestPath = 1_024
  /// The most bytes of a bundle.
  package static let maximumBytes: Int64 = 4 << 30

  /// The folder.
  package let root: String
  /// By path below the root; `.` is the root itself.
  package private(set) var shapes: [String: Shape] = [:]
  /// What cannot be part of a seal, in the order in which it was met.
  package private(set) var refused: [SealChange] = []
  private var bytes: Int64 = 0
  private var isStopped = false

  /// Looks at all names below a folder. Links are not followed. Blocks for that time.
  ///
  /// - Parameter leavingOut: a name directly below the root that is not looked at.
  package init(_ root: String, leavingOut: String) {
    self.root = root
    visit(".", depth: 0, leavingOut: leavingOut)
  }

  private func place(_ path: String) -> String { path == "." ? root : "\(root)/\(path)" }

  private mutating func refuse(_ path: String, _ detail: String) {
    // A million devices are no more than a hundred.
    if refused.count < 100 { refused.append(SealChange(path, .refused, detail)) }
  }

  private mutating func visit(_ path: String, depth: Int, leavingOut: String = "") {
    guard !isStopped else { return }
    guard shapes.count < Self.maximumEntries, depth <= Self.maximumDepth, path.utf8.count <= Self.longestPath else {
      isStopped = true
      return refuse(path, "the bundle has more than \(Self.maximumEntries) names, or too deep folders")
    }
    var status = stat()
    guard lstat(place(path), &status) == 0 else {
      refused.append(SealChange(path, .unreadable, "it cannot be looked at: \(SystemError.last)"))
      return
    }
    let mode = UInt32(status.st_mode) & 0o7777
    switch status.st_mode & S_IFMT {
    case S_IFREG: file(path, status, mode)
    case S_IFLNK: link(path)
    case S_IFDIR:
      shapes[path] = .folder(mode: mode)
      folder(path, depth: depth, leavingOut: leavingOut)
    default: refuse(path, "it is neither a file nor a folder nor a link")
    }
  }

  private mutating func file(_ path: String, _ status: stat, _ mode: UInt32) {
    if status.st_nlink > 1 { refuse(path, "the file has another name as well, by which it could be changed") }
    if mode & 0o7000 != 0 { refuse(path, "it would run with the rights of its owner or its group") }
    bytes += min(Int64(status.st_size), Self.maximumBytes + 1)
    guard bytes <= Self.maximumBytes else {
      isStopped = true
      return refuse(path, "the bundle has more than \(Self.maximumBytes >> 30) GiB")
    }
    shapes[path] = .file(mode: mode, size: Int64(status.st_size))
  }

  private mutating func link(_ path: String) {
    guard let target = File.linkTarget(of: place(path)), target.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
      Array(target.utf8).count <= Self.longestPath, !target.unicodeScalars.contains("\u{FFFD}")
    else { return refuse(path, "the link holds no path that could be sealed") }
    if Self.leaves(target, from: path) { refuse(path, "the link leads out of the bundle, to \(target)") }
    shapes[path] = .link(target: target)
  }

  /// Whether a relative link leads above the bundle. An absolute one may be that of an interpreter of the system, and is
  /// looked at by `BundleFiles`.
  package static func leaves(_ target: String, from path: String) -> Bool {
    if target.utf8.first == UInt8(ascii: "/") { return false }
    var depth = path.pathParts().count - 1
    for component in target.pathParts() where component != "." {
      depth += component == ".." ? -1 : 1
      if depth < 0 { return true }
    }
    return false
  }

  private mutating func folder(_ path: String, depth: Int, leavingOut: String) {
    guard let stream = opendir(place(path)) else {
      refused.append(SealChange(path, .unreadable, "the folder cannot be read: \(SystemError.last)"))
      return
    }
    var names: [String] = []
    while let entry = readdir(stream) {
      let raw = entry.nameBytes
      guard raw != [0x2E], raw != [0x2E, 0x2E] else { continue }
      guard let name = String(validating: raw, as: UTF8.self), raw.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        refuse("\(path)/\(String(decoding: raw, as: UTF8.self))", "its name is not plain text")
        continue
      }
      if path != "." || name != leavingOut { names.append(name) }
      guard names.count <= Self.maximumEntries else { break }
    }
    closedir(stream)
    // Texts are equal whatever their normalisation: two names that a person, or another file system, takes for one.
    var known: [String: String] = [:]
    for name in names.sorted() {
      let whole = path == "." ? name : "\(path)/\(name)"
      if let other = known.updateValue(name, forKey: name.lowercased()) {
        refuse(whole, "“\(other)” beside it differs by case or by the form of its characters only")
      }
      visit(whole, depth: depth + 1)
    }
  }
}

/// Reads files for seals.
enum SealedFile {
  /// The digest of a file that should have so many bytes, while another gets a copy of what is read.
  ///
  /// - Parameter copy: where the bytes go as well; a descriptor that is open for writing, or `nil`.
  /// - Throws: the change, when it is no regular file, has more or fewer bytes, or changes while it is read.
  static func digest(
    of place: String, named path: String, size: Int64, copy: Int32? = nil
  ) throws(SealFault) -> [UInt8] {
    let descriptor = open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .change(.init(path, .unreadable, "it cannot be opened: \(SystemError.last)")) }
    defer { close(descriptor) }
    var before = stat()
    guard fstat(descriptor, &before) == 0, before.st_mode & S_IFMT == S_IFREG else {
      throw .change(.init(path, .kind, "it is not a file any more"))
    }
    guard before.st_size == size else {
      throw .change(.init(path, .content, "it has \(before.st_size) bytes, and not \(size)"))
    }
    var sum = SHA256()
    var chunk = [UInt8](repeating: 0, count: Int(min(max(size, 1), 1 << 18)))
    var count: Int64 = 0
    while count < size {
      let got = read(descriptor, &chunk, Int(min(Int64(chunk.count), size - count)))
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw .change(.init(path, .unreadable, "it cannot be read to its end")) }
      sum.update(chunk[..<got])
      if let copy { try write(chunk[..<got], to: copy, of: place) }
      count += Int64(got)
    }
    var after = stat()
    guard fstat(descriptor, &after) == 0, after.st_size == size, after.st_mtim == before.st_mtim else {
      throw .change(.init(path, .content, "it changed while it was read"))
    }
    return sum.finalize()
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, of place: String) throws(SealFault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file(.cannot("write a copy of", place)) }
      rest = rest.dropFirst(count)
    }
  }
}

/// Why a file was not read or copied: the bundle is not what was sealed, or this machine cannot.
enum SealFault: Error {
  case change(SealChange)
  case file(FileError)
}

extension timespec {
  fileprivate static func == (left: timespec, right: timespec) -> Bool {
    left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec
  }
}
