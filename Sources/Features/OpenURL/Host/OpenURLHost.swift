package import Contracts
package import ExtensionHosting

package enum OpenURLHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> OpenURLService {
    let (registry, host) = (environment.registry, environment.host)
    return OpenURLService(requests: try environment.service(RequestService.self)) { scheme in
      registry.app(forScheme: scheme)?.identifier
    } deliver: { url, app, source in
      try await host.get().deliver(url, to: app, source: source)
    }
  }
}

extension ExtensionHost {
  /// Hands a URL to a containing app: to the process that the user runs, or to one that is started for it.
  ///
  /// - Throws: what starting the app throws, or the app's own error.
  package func deliver(
    _ url: String, to app: String, source: OpenURL.Deliver.Source
  ) async throws -> OpenURL.Deliver.Result {
    try await withApp(app) { process in
      try await process.call(OpenURL.Deliver(url: url, source: source), deadline: source.patience)
    }
  }
}

extension OpenURL.Deliver.Source {
  /// The time limit of the app's answer: 30 s for an extension, and 11 minutes for the user. The app may show the user
  /// a form, or have the host ask them.
  package var patience: Duration { .seconds(bundleID == nil ? 660 : 30) }
}
