package import BundleSeals
package import Cryptography
import Files
import Glibc
import JSON
import Text
import UpdateMetadata

/// A folder of static files that is an index: what `host publish` writes, and any web server serves.
///
/// | Path | Holds |
/// |---|---|
/// | `metadata/N.root.json`, `metadata/root.json` | who may sign the rest; signed by the team's root key |
/// | `metadata/timestamp.json`, `N.snapshot.json`, `N.targets.json`, `N.team-….json` | which files there are; signed by the team's signing key |
/// | `files/names/DIGEST.ID` | a line for each version of a bundle (``IndexLine``) |
/// | `files/DIGEST.catalogue` | the newest line of each name |
/// | `files/DIGEST.statements` | what the team's root key has said of keys and bundles |
/// | `files/archives/DIGEST.SEAL.tar` | a bundle (``BundleArchive``) |
///
/// The file `timestamp.json` is replaced last: a publication that is interrupted leaves the index of before.
package struct IndexFolder: Sendable {
  /// The keys of the team that publishes.
  package struct Keys: Sendable {
    /// The signing key, opened.
    package let signing: Ed25519.PrivateKey
    /// Its certificate.
    package let certificate: KeyCertificate
    /// Opens a root key of the team by its fingerprint. Asked only when the root of the index has to be written.
    package let openRoot: @Sendable (_ fingerprint: String) throws(SealError) -> Ed25519.PrivateKey
    /// Opens a signing key of before; `nil` for one that is revoked or gone.
    package let openFormer: @Sendable (_ fingerprint: String) -> Ed25519.PrivateKey?

    /// Names the keys.
    package init(
      signing: Ed25519.PrivateKey, certificate: KeyCertificate,
      openRoot: @escaping @Sendable (String) throws(SealError) -> Ed25519.PrivateKey,
      openFormer: @escaping @Sendable (String) -> Ed25519.PrivateKey?
    ) {
      (self.signing, self.certificate, self.openRoot, self.openFormer) = (signing, certificate, openRoot, openFormer)
    }
  }

  /// What changes with a publication.
  package struct Change: Sendable {
    /// Versions to add, with the file of their archive, which is moved into the index.
    package var additions: [(line: IndexLine, archive: String)] = []
    /// Versions not to install any more, with the reason.
    package var yanks: [(identifier: String, version: String, reason: String)] = []
    /// What the team's root key has said: all of it, each time.
    package var statements: [[UInt8]] = []

    /// Nothing but a new signature.
    package init() {}
  }

  /// What was published.
  package struct Published: Sendable, Equatable {
    /// The fingerprint of the root key, which clients compare.
    package let root: String
    /// The version of the root.
    package let rootVersion: Int64
    /// The version of the whole.
    package let version: Int64
    /// When clients refuse the index unless it is published again, in seconds since 1970.
    package let expires: Int64
    /// The names in the index.
    package let names: Int
    /// The versions that were not there before.
    package let added: Int
  }

  /// Days for which a root is good.
  static let rootDays: Int64 = 365
  /// Seconds before the end of a root from which on a publication writes the next one.
  static let rootMargin: Int64 = 30 * 86_400

  /// The path of the folder.
  package let path: String

  /// Whether a version is below another one.
  let isOlder: @Sendable (String, String) -> Bool

  /// The index in a folder, which need not be there.
  ///
  /// - Parameter isOlder: the order of versions: whether the first is below the second.
  package init(_ path: String, isOlder: @escaping @Sendable (String, String) -> Bool) {
    (self.path, self.isOlder) = (path, isOlder)
  }

  var metadata: String { "\(path)/metadata" }
  var files: String { "\(path)/files" }

  /// A folder for archives that are being made, in the index, so that they can be moved.
  package func stagingFolder() throws(SealError) -> String {
    do throws(FileError) {
      try Folder.make(path)
      return try Folder.makeTemporary(beginning: "\(path)/.new-")
    } catch {
      throw SealError(error)
    }
  }

  /// Adds versions, takes some back, and signs everything anew.
  ///
  /// - Parameters:
  ///   - time: now, in seconds since 1970.
  ///   - days: for how many days clients take the index; never longer than the signing key is good.
  /// - Throws: `keyRefused` when the signing key has ended, or the index is another team's; `unsealable` for a version that
  ///   is there with another content; `malformed` for an index that is damaged; `system`.
  package func publish(
    _ change: Change, by keys: Keys, at time: Int64, days: Int64
  ) throws(SealError) -> Published {
    guard (keys.certificate.from..<max(keys.certificate.from, keys.certificate.until)).contains(time) else {
      throw SealError(
        .keyRefused, "The signing key is not good at this time.",
        recovery: "Make a new one with “host key new --signing”.")
    }
    do throws(FileError) {
      for folder in [metadata, "\(files)/names", "\(files)/archives"] { try Folder.make(folder) }
      for folder in [path, metadata, files, "\(files)/names", "\(files)/archives"] { try File.setMode(folder, 0o755) }
    } catch {
      throw SealError(error)
    }
    return try withLock { () throws(SealError) -> Published in
      var draft = try IndexDraft(self, keys, at: time, until: min(time + days * 86_400, keys.certificate.until))
      try draft.apply(change)
      return try draft.write()
    }
  }

  private func withLock<Value>(_ body: () throws(SealError) -> Value) throws(SealError) -> Value {
    let lock: FileLock?
    do throws(FileError) { lock = try FileLock.attempt("\(path)/.lock") } catch { throw SealError(error) }
    guard let lock else {
      throw SealError(.system, "Another process publishes to \(path).", recovery: "Wait until it has ended.")
    }
    let value = try body()
    lock.unlock()
    return value
  }

  // MARK: Files

  /// Writes a file that a web server may read, whole or not at all.
  func put(_ bytes: [UInt8], at place: String) throws(SealError) {
    do throws(FileError) {
      let new = try File.write(bytes, beginning: "\(path)/.new", isDurable: true)
      try File.setMode(new, 0o644)
      guard rename(new, place) == 0 else {
        let error = FileError.cannot("write", place)
        File.remove(new)
        throw error
      }
      Folder.synchronize(Folder.parent(of: place))
    } catch {
      throw SealError(error)
    }
  }

  /// The place of a file that metadata describes, with its digest in its name.
  func place(of name: String, _ sha256: String) -> String {
    let parts = name.pathParts(keepsEmpty: true)
    let folder = ([files] + parts.dropLast().map(String.init)).joined(separator: "/")
    return "\(folder)/\(sha256).\(parts[parts.count - 1])"
  }
}
