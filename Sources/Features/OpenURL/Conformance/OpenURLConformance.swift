import Conformance
import Contracts
package import ExtensionHosting
import HostServices

/// The URLs that an extension opens while it is tried: the app says that it knows them, and is not started.
package enum OpenURLConformance: ConformanceFeature {
  package static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) throws {
    let registry = environment.registry
    environment.use(
      OpenURLService(requests: try environment.service(RequestService.self)) { scheme in
        registry.app(forScheme: scheme)?.identifier
      } deliver: { _, _, _ in
        OpenURL.Deliver.Result(handled: true)
      })
  }
}
