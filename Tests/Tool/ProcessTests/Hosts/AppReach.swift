import ExtensionHosting
import ExtensionProtocol
import HostServices
import Synchronization

/// Hands URLs to containing apps through a host that exists only after its services.
final class AppReach: Sendable {
  private let host = Mutex(Reference())

  private struct Reference {
    weak var host: ExtensionHost?
  }

  func attach(_ host: ExtensionHost) { self.host.withLock { $0.host = host } }

  func deliver(
    _ url: String, to app: String, source: OpenURL.Deliver.Source
  ) async throws -> OpenURL.Deliver.Result {
    guard let host = host.withLock({ $0.host }) else { throw ExtensionError(.internalError, "There is no host.") }
    return try await host.withApp(app) { process in
      try await process.call(OpenURL.Deliver(url: url, source: source), deadline: .seconds(20))
    }
  }
}
