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
