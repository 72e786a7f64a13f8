import Activation
package import ExtensionHosting

package enum ItemsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> ItemService {
    let registry = environment.registry
    return ItemService(requests: try environment.service(RequestService.self)) {
      registry.types.conforms($0, to: $1)
    }
  }
}
