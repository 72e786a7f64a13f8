import Activation
package import ExtensionHosting

package enum ItemsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> ItemService {
    let types = environment.registry.types
    return ItemService(requests: try environment.service(RequestService.self)) { types.conforms($0, to: $1) }
  }
}
