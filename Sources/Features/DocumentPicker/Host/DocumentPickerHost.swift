package import ExtensionHosting

package enum DocumentPickerHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> DocumentPickerService {
    let registry = environment.registry
    return DocumentPickerService(
      requests: try environment.service(RequestService.self),
      documents: try environment.service(FileProviderService.self), type: { registry.type(forFileNamed: $0) },
      conforms: { registry.type($0, conformsTo: $1) })
  }
}
