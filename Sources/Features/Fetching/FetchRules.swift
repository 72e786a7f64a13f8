package import ExtensionProtocol
package import HTTPClient

/// Which servers an extension's requests may go to, by the entries of its manifest.
package struct FetchRules: Sendable {
  let hosts: [NetworkServer]
  /// What the user has agreed to, for what is refused.
  let permission: PermissionKind

  /// - Parameter entries: the scope of the permission `network`.
  package init(entries: [String]) { self.init(entries.compactMap { NetworkServer($0) }, of: .network) }

  /// - Parameters:
  ///   - hosts: the servers that may be asked.
  ///   - permission: what the user has agreed to, for what is refused.
  package init(_ hosts: [NetworkServer], of permission: PermissionKind) {
    self.hosts = hosts
    self.permission = permission
  }

  /// Whether the manifest names a server.
  package func allows(_ origin: HTTPOrigin) -> Bool {
    hosts.contains { $0.allows(scheme: origin.scheme, host: origin.host, port: origin.port) }
  }

  /// The addresses that may be connected to for a server which the manifest names.
  ///
  /// Naming an address, or this machine, means it. A name of the public tree has to lead to the internet: whoever owns
  /// the name chooses its address. Names that nobody can register (RFC 6762, RFC 8375, and `internal`) belong to private
  /// networks.
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
