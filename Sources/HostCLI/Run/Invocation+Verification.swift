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
    do {
      return try await SystemThread.run(name: "annex-verify", within: Self.limit, on: loop) { _ in
        try BundleVerification(bundle, beside: record)
      }
    } catch is DeadlineExceeded {
      throw ExtensionError(
        .extensionInvalid, "The files of \(bundle) could not be looked at in \(Self.limit).",
        recovery: "Check the disk that it is on.")
    }
  }
}
