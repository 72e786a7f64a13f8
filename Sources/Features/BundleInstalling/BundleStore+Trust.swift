import BundleSeals
import ExtensionHosting
public import ExtensionProtocol
import JSON

extension BundleStore {
  /// What became of a statement that was handed over.
  public enum Learned: Sendable, Hashable {
    /// A team takes a key, or one sealed bundle, back.
    case revocation(of: String, team: String, reason: String)
    /// A team has another root key: these identifiers belong to it from now on.
    case rotation(from: String, to: String, identifiers: [String])
  }

  /// Learns what a team's root key says: a file that `host key revoke` or `host key rotate` wrote.
  ///
  /// - Parameter statement: the bytes of the file, which may come from anywhere: the signature says whose they are.
  /// - Throws: `extensionInvalid` for what no root key signed; `storeFailed`.
  @discardableResult
  public func learn(_ statement: [UInt8]) async throws(ExtensionError) -> Learned {
    if let revocation = try? Revocation(document: statement) {
      try await RegistryRecord.update(at: try recordInFolder()) { record throws(ExtensionError) in
        record.revoke(revocation.revoked, of: revocation.team, because: revocation.reason)
      }
      return .revocation(of: revocation.revoked, team: revocation.team, reason: revocation.reason)
    }
    let rotation: RootRotation
    do throws(SealError) { rotation = try RootRotation(document: statement) } catch {
      throw ExtensionError(
        .extensionInvalid, "The file is no statement of a team. \(error.message)", recovery: error.recovery)
    }
    let moved = try await RegistryRecord.update(at: try recordInFolder()) { record throws(ExtensionError) in
      // The first successor is the one: whoever finds the old key later cannot name another.
      if let known = record.successors[rotation.team] {
        guard known == rotation.newTeam else {
          throw ExtensionError(
            .permissionDenied, "The team has handed itself over to another root key before.",
            recovery: "Ask the team which of its statements is true.")
        }
        return [String]()
      }
      return record.rotate(rotation.team, to: rotation.newTeam)
    }
    return .rotation(from: rotation.team, to: rotation.newTeam, identifiers: moved)
  }

  private func recordInFolder() throws(ExtensionError) -> String {
    _ = try state.folder("bundles")
    return recordPath
  }
}
