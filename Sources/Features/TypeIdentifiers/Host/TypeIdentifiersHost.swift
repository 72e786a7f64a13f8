import Activation
package import ExtensionHosting

package enum TypeIdentifiersHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> TypeService {
    let registry = environment.registry
    return TypeService { registry.types.conforms($0, to: $1) }
  }
}
