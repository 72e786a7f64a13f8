import Activation
package import ExtensionHosting

package enum TypeIdentifiersHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> TypeService {
    let types = environment.registry.types
    return TypeService { types.conforms($0, to: $1) }
  }
}
