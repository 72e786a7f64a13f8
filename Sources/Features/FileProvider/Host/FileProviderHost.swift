import Contracts
package import ExtensionHosting

package enum FileProviderHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> FileProviderService {
    let registry = environment.registry
    return FileProviderService(state: environment.state) { app in
      let group = registry.extensions(of: app).compactMap { $0.manifest?.fileProviderDocumentGroup }.first
      return group.map { FileProviderService.App(group: $0, providerIdentifier: app) }
    }
  }
}
