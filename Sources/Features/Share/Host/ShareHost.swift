package import ExtensionHosting

package enum ShareHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> ShareService { ShareService() }
}
