package import BundleSeals
import Files
import Glibc
import Text

/// A bundle in one file: a tape archive (POSIX.1-1988 `ustar`, long names by `pax`), without compression, so that its
/// digest is that of the files and a transfer can go on where it ended.
///
/// Files, folders and symbolic links are all that there is; every other kind of entry is refused. Any `tar` reads it.
package enum BundleArchive {
  /// The most names in an archive.
  package static let maximumNames = 10_000
  static let block = 512

  // MARK: Writing

  /// Writes what a seal lists, and the seal itself; the same bundle is always the same bytes.
  ///
  /// - Parameters:
  ///   - bundle: a folder that was compared with the seal, and that nobody else writes to.
  ///   - seal: its seal.
  ///   - path: the file, which must not be there.
  /// - Throws: `unsealable` for too many names, `system`.
  package static func write(_ bundle: String, _ seal: BundleSeal, to path: String) throws(SealError) {
    let root = Folder.name(of: bundle)
    var entries = seal.resources.entries
    entries[BundleSeal.folder] = .folder(mode: 0o755)
    for (name, bytes) in seal.files {
      entries["\(BundleSeal.folder)/\(name)"] = .file(mode: 0o644, size: Int64(bytes.count), digest: [])
    }
    guard entries.count <= maximumNames else {
      throw SealError(
        .unsealable, "\(bundle) has \(entries.count) names, and an archive holds \(maximumNames).",
        recovery: "Leave out what the extension does not need.")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw SealError(FileError.cannot("write", path)) }
    defer { close(descriptor) }
    do throws(FileError) {
      // A folder comes before what is in it.
      let names = entries.keys.filter { $0 != "." }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      for name in ["."] + names {
        guard let entry = entries[name] else { continue }
        let whole = name == "." ? root : "\(root)/\(name)"
        try put(ArchiveHeader(whole, entry).bytes, descriptor, path)
        guard case .file(_, let size, _) = entry else { continue }
        try copy("\(bundle)/\(name)", size, to: descriptor, path)
      }
      try put([UInt8](repeating: 0, count: 2 * block), descriptor, path)
      guard fsync(descriptor) == 0 else { throw .cannot("write", path) }
    } catch {
      File.remove(path)
      throw SealError(error)
    }
  }

  private static func put(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .cannot("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func copy(
    _ source: String, _ size: Int64, to descriptor: Int32, _ path: String
  ) throws(FileError) {
    var place: Int64 = 0
    while place < size {
      guard
        let chunk = File.prefix(of: source, limit: Int(min(1 << 20, size - place)), from: Int(place)), !chunk.isEmpty
      else { throw .cannot("read", source) }
      try put(chunk, descriptor, path)
      place += Int64(chunk.count)
    }
    try put([UInt8](repeating: 0, count: padding(size)), descriptor, path)
  }

  static func padding(_ size: Int64) -> Int { Int((Int64(block) - size % Int64(block)) % Int64(block)) }

  // MARK: Reading

  /// Unpacks an archive. Nothing is written outside of the folder, and no link is followed: links are made last.
  ///
  /// - Parameters:
  ///   - path: the file, which nobody else writes to.
  ///   - folder: a folder that is there, empty, and nobody else's.
  /// - Returns: the path of the bundle in the folder.
  /// - Throws: `malformed` for an archive that is no such archive, or has something that no bundle may have, with its name;
  ///   `system`. What was unpacked until then lies in the folder.
  package static func extract(_ path: String, to folder: String) throws(SealError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SealError(FileError.cannot("open", path)) }
    defer { close(descriptor) }
    var unpacking = Unpacking(descriptor, path, folder)
    return try unpacking.run()
  }
}

/// An archive on its way onto the disk.
private struct Unpacking {
  private static let deepest = 33

  private let descriptor: Int32
  private let archive: String
  private let folder: String
  /// Every name in lower case; texts are equal whatever their normalisation.
  private var known: Set<String> = []
  /// Folders with their permissions, which they get last: a bundle may have folders that take no files.
  private var folders: [(path: String, mode: UInt32)] = []
  private var madeFolders: Set<[UInt8]> = []
  private var links: [(path: String, target: String)] = []
  private var bytes: Int64 = 0

  init(_ descriptor: Int32, _ archive: String, _ folder: String) {
    (self.descriptor, self.archive, self.folder) = (descriptor, archive, folder)
  }

  private func malformed(_ what: String) -> SealError {
    SealError(.malformed, "The archive \(Folder.name(of: archive)) was refused: \(what).", recovery: Self.advice)
  }
  private static let advice = "Tell who publishes the index; nothing was installed."

  mutating func run() throws(SealError) -> String {
    var long = LongNames()
    while true {
      let block = try read(BundleArchive.block)
      if block.allSatisfy({ $0 == 0 }) { break }
      guard let header = ArchiveHeader.Raw(block) else { throw malformed("it is not a tape archive") }
      if header.kind == UInt8(ascii: "x") {
        guard header.size <= 8_192, let read = LongNames(try content(header.size)) else {
          throw malformed("its long names cannot be read")
        }
        long = read
        continue
      }
      let name = long.path ?? header.path
      let target = long.target ?? header.target
      long = LongNames()
      try unpack(name, target, header)
    }
    return try finish()
  }

  private mutating func unpack(_ name: [UInt8], _ target: [UInt8], _ header: ArchiveHeader.Raw) throws(SealError) {
    let path = try checked(name, isFolder: header.kind == UInt8(ascii: "5"))
    guard header.mode <= 0o777 else { throw malformed("\(path) would run with the rights of its owner or its group") }
    let place = "\(folder)/\(path)"
    switch header.kind {
    case UInt8(ascii: "5"):
      guard mkdir(place, 0o700) == 0 else { throw SealError(FileError.cannot("create", place)) }
      folders.append((place, header.mode))
      madeFolders.insert(Array(path.utf8))
    case UInt8(ascii: "0"), 0: try file(place, header)
    case UInt8(ascii: "2"):
      guard let text = String(validating: target, as: UTF8.self), !text.isEmpty, text.utf8.count <= 1_024,
        !SealedTree.leaves(text, from: path.pathParts().dropFirst().joined(separator: "/"))
      else { throw malformed("the link \(path) leads out of the bundle") }
      links.append((place, text))
    default: throw malformed("\(path) is neither a file nor a folder nor a link")
    }
  }

  /// - Returns: the path, which is below a folder that the archive has made before.
  private mutating func checked(_ name: [UInt8], isFolder: Bool) throws(SealError) -> String {
    let raw = isFolder && name.last == 0x2F ? Array(name.dropLast()) : name
    guard let path = String(validating: raw, as: UTF8.self), (1...1_100).contains(raw.count),
      raw.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw malformed("it has a name that is not plain text") }
    let shown = path.prefix(200)
    guard let components = path.partsBelow, components.count <= Self.deepest else {
      throw malformed("the name \(shown) leads out of the bundle, or is too deep")
    }
    guard known.count < BundleArchive.maximumNames else {
      throw malformed("it has more than \(BundleArchive.maximumNames) names")
    }
    guard known.insert(path.lowercased()).inserted else {
      throw malformed("\(shown) is there twice, or differs from another name by case or the form of characters only")
    }
    let isRoot = components.count == 1
    guard isRoot ? isFolder && folders.isEmpty : madeFolders.contains(Array(Folder.parent(of: path).utf8)) else {
      throw malformed("\(shown) is not below a folder of the bundle")
    }
    guard !isRoot || path.hasSuffix(".app") || path.hasSuffix(".appex") else {
      throw malformed("\(shown) is not a bundle")
    }
    return path
  }

  private mutating func file(_ place: String, _ header: ArchiveHeader.Raw) throws(SealError) {
    bytes += header.size
    guard bytes <= SealedTree.maximumBytes else {
      throw malformed("it has more than \(SealedTree.maximumBytes >> 30) GiB")
    }
    let target = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard target >= 0 else { throw SealError(FileError.cannot("write", place)) }
    defer { close(target) }
    var left = header.size
    while left > 0 {
      let chunk = try read(Int(min(left, 1 << 18)))
      let count = chunk.withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
      guard count == chunk.count else { throw SealError(FileError.cannot("write", place)) }
      left -= Int64(count)
    }
    _ = try read(BundleArchive.padding(header.size))
    guard fchmod(target, mode_t(header.mode)) == 0 else { throw SealError(FileError.cannot("set the mode of", place)) }
  }

  private func content(_ size: Int64) throws(SealError) -> [UInt8] {
    let bytes = try read(Int(size))
    _ = try read(BundleArchive.padding(size))
    return bytes
  }

  private func read(_ count: Int) throws(SealError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw malformed("it ends in the middle") }
      filled += got
    }
    return bytes
  }

  /// Links, then the permissions of the folders, the deepest first.
  private func finish() throws(SealError) -> String {
    guard let root = folders.first?.path else { throw malformed("it holds no bundle") }
    for link in links {
      guard symlink(link.target, link.path) == 0 else { throw SealError(FileError.cannot("create", link.path)) }
    }
    for made in folders.reversed() {
      do throws(FileError) { try File.setMode(made.path, made.mode) } catch { throw SealError(error) }
    }
    return root
  }
}
