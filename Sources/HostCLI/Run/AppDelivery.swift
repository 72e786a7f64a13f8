import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import Synchronization

/// Hands URLs to containing apps: to the process that the user runs, or to one that is started for it.
final class AppDelivery: Sendable {
  private let host = Mutex<ExtensionHost?>(nil)

  /// The host exists only after its services, of which one delivers URLs.
  func attach(_ host: ExtensionHost) { self.host.withLock { $0 = host } }

  /// - Throws: what starting the app throws, or the app's own error.
  func deliver(
    _ url: String, to app: String, source: OpenURL.Deliver.Source
  ) async throws -> OpenURL.Deliver.Result {
    guard let host = host.withLock({ $0 }) else {
      throw ExtensionError(.internalError, "URLs cannot be delivered before the host is ready.")
    }
    return try await host.withApp(app) { process in
      try await process.call(OpenURL.Deliver(url: url, source: source), deadline: .seconds(30))
    }
  }
}
