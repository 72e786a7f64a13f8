package import ExtensionProtocol
package import HTTPClient

/// The servers that an extension's requests may go to, from the entries of its manifest.
package struct FetchRules: Sendable {
  let hosts: [NetworkServer]
  /// The permission that a refusal names.
  let permission: PermissionKind

  /// - Parameter entries: the scope of the permission `network`.
  package init(entries: [String]) { self.init(entries.compactMap { NetworkServer($0) }, of: .network) }

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - hosts: the permitted servers.
  ///   - permission: the permission that a refusal names.
  package init(_ hosts: [NetworkServer], of permission: PermissionKind) {
    self.hosts = hosts
    self.permission = permission
  }

  /// Whether the manifest names a server.
  package func allows(_ origin: HTTPOrigin) -> Bool {
    hosts.contains { $0.allows(scheme: origin.scheme, host: origin.host, port: origin.port) }
  }

  /// Returns the kinds of addresses that the connection to a server in the manifest may use.
  ///
  /// An address or this machine is permitted when the manifest names it. A public name must lead to the internet,
  /// because its owner chooses the address. Names that cannot be registered (RFC 6762, RFC 8375, and `internal`) belong
  /// to private networks.
  package static func reaches(of origin: HTTPOrigin) -> Set<AddressReach> {
    let host = origin.host
    if NetworkServer.isThisMachine(host) { return [.loopback] }
    let isAddress = host.hasPrefix("[") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    if isAddress { return [.global, .privateNetwork, .linkLocal] }
    let isPrivateName =
      !host.contains(".") || [".local", ".internal", ".home.arpa"].contains { host.hasSuffix($0) }
    return isPrivateName ? [.global, .privateNetwork] : [.global]
  }
}
