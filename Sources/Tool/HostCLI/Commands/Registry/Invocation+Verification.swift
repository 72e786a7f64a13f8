import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices

extension Invocation {
  /// What looks bundles over, by their paths, beside what was added, with the points that they announce themselves and those
  /// that are announced elsewhere. It reads much, and belongs on a thread of its own.
  func verifier() throws -> @Sendable (_ bundle: String) throws -> BundleVerification {
    let record = try record()
    let elsewhere = try registrySources().pointFolders
    return { bundle in
      let own = AnnouncedPoints(in: ["\(bundle)/Points"], beside: Features.known)
      let all = AnnouncedPoints(in: ["\(bundle)/Points"] + elsewhere, beside: Features.known)
      var found = try BundleVerification(bundle, beside: record, points: all.table(with: Features.points))
      found.add(own.problems)
      return found
    }
  }

  /// How long a command waits for the disk that a bundle is on: what is parsed has budgets of its own.
  private static let limit = Duration.seconds(60)

  /// Looks a bundle over on a thread of its own, beside what was added: the command hears a signal meanwhile.
  ///
  /// - Throws: `extensionInvalid` when there is no such folder, or it cannot be looked at in a minute.
  func verification(of bundle: String) async throws -> BundleVerification {
    let verify = try verifier()
    do {
      return try await SystemThread.run(name: "annex-verify", within: Self.limit, on: loop) { _ in try verify(bundle) }
    } catch is DeadlineExceeded {
      throw ExtensionError(
        .extensionInvalid, "The files of \(bundle) could not be read in \(Self.limit).",
        recovery: "Try again, or copy the bundle to a disk that answers faster.")
    }
  }
}
