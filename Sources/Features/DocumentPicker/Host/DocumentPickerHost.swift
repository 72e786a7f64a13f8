import Activation
package import ExtensionHosting

package enum DocumentPickerHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> DocumentPickerService {
    let types = environment.registry.types
    return DocumentPickerService(
      requests: try environment.service(RequestService.self),
      documents: try environment.service(FileProviderService.self), type: { types.type(forFileNamed: $0) },
      conforms: { types.conforms($0, to: $1) })
  }
}
