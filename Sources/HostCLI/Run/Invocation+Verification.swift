import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices

extension Invocation {
  /// How long a command waits for the disk that a bundle is on: what is parsed has budgets of its own.
  private static let limit = Duration.seconds(60)

  /// Looks a bundle over on a thread of its own, beside what was added: the command hears a signal meanwhile.
  ///
  /// - Throws: `extensionInvalid` when there is no such folder, or it cannot be looked at in a minute.
  func verification(of bundle: String) async throws -> BundleVerification {
    let record = try record()
    let sources = try registrySources()
    do {
      return try await SystemThread.run(name: "annex-verify", within: Self.limit, on: loop) { _ in
        let own = AnnouncedPoints(in: ["\(bundle)/Points"], beside: Features.known)
        let all = AnnouncedPoints(in: ["\(bundle)/Points"] + sources.pointFolders, beside: Features.known)
        var found = try BundleVerification(bundle, beside: record, points: all.table(with: Features.points))
        found.add(own.problems)
        return found
      }
    } catch is DeadlineExceeded {
      throw ExtensionError(
        .extensionInvalid, "The files of \(bundle) could not be looked at in \(Self.limit).",
        recovery: "Check the disk that it is on.")
    }
  }
}
