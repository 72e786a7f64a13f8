import Cryptography
import Files
import Glibc
import Text

/// A bundle compared with its seal, and with what is known of its team.
package struct SealCheck: Sendable {
  /// What came of it. Each is another answer; a failure is never `unsigned`.
  package enum State: Sendable, Equatable {
    /// There is no seal, neither of the bundle nor of an extension in it.
    case unsigned
    /// Everything is as it was signed.
    case whole
    /// Something is not as it was signed: the changes, at most 100.
    case changed([SealChange])
    /// Everything is as it was signed, by another team than the one that was expected.
    case signedByAnother(expected: String)
    /// Everything is as it was signed, by a key whose time is over, or has not begun.
    case expired(until: Int64)
    /// The team said that the key, or this very bundle, is good no longer.
    case revoked(reason: String)
    /// There is a seal that cannot be read.
    case malformed(SealError)

    /// The word for JSON: `unsigned`, `whole`, `changed`, `another-team`, `expired`, `revoked`, `malformed`.
    package var name: String {
      switch self {
      case .unsigned: "unsigned"
      case .whole: "whole"
      case .changed: "changed"
      case .signedByAnother: "another-team"
      case .expired: "expired"
      case .revoked: "revoked"
      case .malformed: "malformed"
      }
    }
  }

  /// What a bundle is compared with besides its seal.
  package struct Expectation: Sendable {
    /// The fingerprint of the team that the bundle should be of; `nil` for any.
    package var team: String?
    /// Reasons: by the fingerprint of a team, a space, and the fingerprint of a key or the digest of a statement.
    package var revoked: [String: String]
    /// Now, in seconds since 1970.
    package var time: Int64

    /// Creates an expectation.
    package init(team: String? = nil, revoked: [String: String] = [:], time: Int64) {
      (self.team, self.revoked, self.time) = (team, revoked, time)
    }
  }

  /// What came of it.
  package private(set) var state: State
  /// The seal of the bundle itself, as far as it could be read.
  package private(set) var seal: BundleSeal?

  private static let mostChanges = 100

  /// Compares a bundle with its seal. Reads every file; blocks for that time.
  ///
  /// - Parameters:
  ///   - bundle: the folder.
  ///   - expectation: what is known of its team.
  ///   - copy: a folder that gets a copy of what was sealed and nothing else; it is there, and empty. `nil` for none. The
  ///     bytes that are compared are those that are copied, so that what changes meanwhile is not in the copy.
  /// - Throws: `system` when the copy cannot be written.
  package init(_ bundle: String, _ expectation: Expectation, copy: String? = nil) throws(SealError) {
    switch BundleSeal.read(bundle) {
    case .unsigned:
      let inner = Folder.names(in: "\(bundle)/PlugIns", endingIn: ".appex")
        .first { FileStatus("\(bundle)/PlugIns/\($0)/\(BundleSeal.folder)") != nil }
      state =
        inner.map {
          .malformed(
            SealError(
              .malformed, "\(bundle) has no seal, and PlugIns/\($0) in it has one.",
              recovery: "Take the bundle from where it came from again, or sign it with “host sign”."))
        } ?? .unsigned
    case .malformed(let error): state = .malformed(error)
    case .changed(let changes): state = .changed(changes)
    case .seal(let seal):
      self.seal = seal
      state = .whole
      var comparison = TreeComparison(bundle, seal)
      if let copy { try comparison.copy(to: copy) } else { try comparison.compare(to: nil) }
      let changes = comparison.changes + Self.innerChanges(bundle, seal)
      state =
        changes.isEmpty ? Self.judgement(seal, expectation) : .changed(Array(changes.prefix(Self.mostChanges)))
    }
  }

  /// What is said of a seal that is whole.
  package static func judgement(_ seal: BundleSeal, _ expectation: Expectation) -> State {
    let certificate = seal.certificate
    for fingerprint in [certificate.signer, seal.statement.digest] {
      if let reason = expectation.revoked["\(certificate.team) \(fingerprint)"] { return .revoked(reason: reason) }
    }
    if let expected = expectation.team, expected != certificate.team { return .signedByAnother(expected: expected) }
    guard (certificate.from..<max(certificate.from, certificate.until)).contains(expectation.time) else {
      return .expired(until: certificate.until)
    }
    return .whole
  }

  /// The seals of the extensions in an app: each is the same team's, and lists what the app's own seal lists. The files
  /// themselves were compared with that one.
  private static func innerChanges(_ bundle: String, _ seal: BundleSeal) -> [SealChange] {
    var changes: [SealChange] = []
    let names = Set(
      seal.resources.entries.keys.compactMap { path -> String? in
        let parts = path.pathParts()
        return parts.count == 2 && parts[0] == "PlugIns" && path.hasSuffix(".appex") ? String(parts[1]) : nil
      })
    for name in names.sorted() {
      let path = "PlugIns/\(name)"
      guard case .seal(let inner) = BundleSeal.read("\(bundle)/\(path)") else {
        changes.append(SealChange("\(path)/\(BundleSeal.folder)", .missing, "the extension has no seal of its own"))
        continue
      }
      guard inner.certificate.team == seal.certificate.team else {
        changes.append(SealChange("\(path)/\(BundleSeal.folder)", .content, "the extension's seal is another team's"))
        continue
      }
      let outer = seal.resources.below(path).filter {
        !$0.key.isBelowOrEqual(BundleSeal.folder)
      }
      if outer != inner.resources.entries {
        changes.append(
          SealChange("\(path)/\(BundleSeal.folder)", .content, "the extension's seal lists other files than the app's"))
      }
      changes += manifestChanges("\(bundle)/\(path)", inner, path + "/")
    }
    return changes + manifestChanges(bundle, seal, "")
  }

  private static func manifestChanges(_ bundle: String, _ seal: BundleSeal, _ prefix: String) -> [SealChange] {
    guard let manifest = try? SealedManifest(bundle: bundle) else {
      return [SealChange("\(prefix)Info.plist", .unreadable, "it is not the manifest that was signed")]
    }
    let statement = seal.statement
    if manifest.identifier == statement.identifier, manifest.version == statement.version,
      manifest.entitlements == statement.entitlements
    {
      return []
    }
    return [
      SealChange("\(prefix)Info.plist", .content, "it names another identifier, version or entitlement than was signed")
    ]
  }
}

/// Compares the files of a bundle with a list, and copies what the list has.
struct TreeComparison {
  private let bundle: String
  private let seal: BundleSeal
  /// Whether it is a copy in a store, where nothing can be written: its modes are those of the seal without that right.
  private let isReadOnly: Bool
  private(set) var changes: [SealChange] = []

  init(_ bundle: String, _ seal: BundleSeal) {
    (self.bundle, self.seal) = (bundle, seal)
    isReadOnly = FileStatus(bundle).map { $0.mode & 0o222 == 0 } ?? false
  }

  /// Compares, and makes a read-only copy.
  mutating func copy(to target: String) throws(SealError) {
    try compare(to: target)
    do throws(FileError) {
      let place = "\(target)/\(BundleSeal.folder)"
      try Folder.make(place)
      for (name, bytes) in seal.files {
        try File.writeNew(bytes, to: "\(place)/\(name)")
        try File.setMode("\(place)/\(name)", BundleSeal.fileMode & 0o555)
      }
      try File.setMode(place, BundleSeal.folderMode & 0o555)
    } catch {
      throw SealError(error)
    }
  }

  mutating func compare(to target: String?) throws(SealError) {
    let tree = SealedTree(bundle, leavingOut: BundleSeal.folder)
    changes += tree.refused
    checkSealModes()
    let sealed = seal.resources.entries
    for path in tree.shapes.keys.sorted() {
      if let index = sealed.index(forKey: path), sealed[index].key.hasBytes(of: path) { continue }
      changes.append(SealChange(path, .added, "it was not there when the bundle was signed"))
    }
    var folders: [(path: String, mode: UInt32)] = []
    for (path, entry) in sealed.sorted(by: { $0.key < $1.key }) {
      guard let index = tree.shapes.index(forKey: path), tree.shapes[index].key.hasBytes(of: path) else {
        changes.append(SealChange(path, .missing, "it is not there any more"))
        continue
      }
      try compare(path, entry, tree.shapes[index].value, target)
      if case .folder(let mode) = entry { folders.append((path, mode)) }
    }
    guard let target else { return }
    // From the deepest up: a folder that cannot be written is full.
    for (path, mode) in folders.reversed() {
      do throws(FileError) {
        try File.setMode(path == "." ? target : "\(target)/\(path)", mode & 0o555 | 0o500)
      } catch {
        throw SealError(error)
      }
    }
  }

  /// The seal's own files are on no list; they have the modes that signing gives them.
  private mutating func checkSealModes() {
    let places =
      [(BundleSeal.folder, BundleSeal.folderMode)]
      + BundleSeal.names.map { ("\(BundleSeal.folder)/\($0)", BundleSeal.fileMode) }
    for (path, mode) in places {
      checkMode(path, (FileStatus("\(bundle)/\(path)")?.mode ?? 0) & 0o7777, mode)
    }
  }

  private mutating func compare(
    _ path: String, _ entry: SealedEntry, _ shape: SealedTree.Shape, _ target: String?
  ) throws(SealError) {
    let copy = target.map { path == "." ? $0 : "\($0)/\(path)" }
    switch (entry, shape) {
    case (.folder(let mode), .folder(let found)):
      checkMode(path, found, mode)
      guard let copy, path != "." else { return }
      do throws(FileError) { try Folder.make(copy) } catch { throw SealError(error) }
    case (.link(let sealed), .link(let found)):
      guard sealed.hasBytes(of: found) else {
        changes.append(SealChange(path, .target, "the link leads to \(found), and not to \(sealed)"))
        return
      }
      if let copy, symlink(found, copy) != 0 { throw SealError(.cannot("make the link", copy)) }
    case (.file(let mode, let size, let digest), .file(let found, let length)):
      checkMode(path, found, mode)
      guard size == length else {
        changes.append(SealChange(path, .content, "it has \(length) bytes, and not \(size)"))
        return
      }
      try compareContent(path, size, digest, copy, mode)
    default: changes.append(SealChange(path, .kind, "it is another kind of thing than was sealed"))
    }
  }

  private mutating func checkMode(_ path: String, _ found: UInt32, _ sealed: UInt32) {
    guard found != sealed, !(isReadOnly && found == sealed & 0o555) else { return }
    changes.append(
      SealChange(path, .mode, "its mode is \(String(found, radix: 8)), and not \(String(sealed, radix: 8))"))
  }

  private mutating func compareContent(
    _ path: String, _ size: Int64, _ digest: [UInt8], _ copy: String?, _ mode: UInt32
  ) throws(SealError) {
    do throws(SealFault) {
      let found: [UInt8]
      if let copy {
        let descriptor = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(.cannot("write", copy)) }
        defer { close(descriptor) }
        found = try SealedFile.digest(of: "\(bundle)/\(path)", named: path, size: size, copy: descriptor)
        guard fchmod(descriptor, mode & 0o555) == 0, fdatasync(descriptor) == 0 else {
          throw .file(.cannot("write", copy))
        }
      } else {
        found = try SealedFile.digest(of: "\(bundle)/\(path)", named: path, size: size)
      }
      if found != digest { changes.append(SealChange(path, .content, "its content changed")) }
    } catch {
      switch error {
      case .change(let change): changes.append(change)
      case .file(let error): throw SealError(error)
      }
    }
  }
}
