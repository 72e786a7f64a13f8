package import ExtensionHosting

package enum DefaultsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) throws -> DefaultsService {
    let state = environment.state
    return DefaultsService(store: .file { try "\(state.folder("store"))/groups.sqlite" })
  }
}
