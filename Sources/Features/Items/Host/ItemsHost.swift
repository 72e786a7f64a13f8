package import ExtensionHosting

package enum ItemsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> ItemService {
    let registry = environment.registry
    return ItemService(requests: try environment.service(RequestService.self)) { registry.type($0, conformsTo: $1) }
  }
}
