package import ExtensionHosting
package import ExtensionProtocol
package import HTTPClient

/// The servers that an extension's requests may go to, from the entries of its manifest.
package struct FetchRules: Sendable {
  let hosts: [NetworkServer]
  /// The permission that a refusal names.
  let permission: PermissionKind
  /// The servers of the tool that run on this machine, which extensions leave alone unless the user said otherwise.
  private let localServers: LocalServers?

  /// - Parameters:
  ///   - entries: the scope of the permission `network`.
  ///   - localServers: the servers that the tool runs on this machine.
  package init(entries: [String], avoiding localServers: LocalServers? = nil) {
    self.init(entries.compactMap { NetworkServer($0) }, of: .network, avoiding: localServers)
  }

  /// Creates rules.
  ///
  /// - Parameters:
  ///   - hosts: the permitted servers.
  ///   - permission: the permission that a refusal names.
  ///   - localServers: the servers that the tool runs on this machine.
  package init(_ hosts: [NetworkServer], of permission: PermissionKind, avoiding localServers: LocalServers? = nil) {
    self.hosts = hosts
    self.permission = permission
    self.localServers = localServers
  }

  /// Whether the manifest names a server.
  package func allows(_ origin: HTTPOrigin) -> Bool {
    hosts.contains { $0.allows(scheme: origin.scheme, host: origin.host, port: origin.port) }
  }

  /// Returns the reason a server may not be asked; `nil` when it may.
  package func refusal(of origin: HTTPOrigin) -> ExtensionError? {
    guard allows(origin) else { return FetchPlan.notNamed(origin, permission) }
    guard let localServers, Self.reaches(of: origin) != [.global] else { return nil }
    let isThisMachine = NetworkServer.isThisMachine(origin.host)
    let found =
      isThisMachine
      ? localServers.servers(atPort: origin.port).first { !$0.admitsFetches }
      : localServers.server(at: origin.host, port: origin.port).flatMap { $0.admitsFetches ? nil : $0 }
    guard let found else { return nil }
    return ExtensionError(
      .permissionDenied,
      "“host serve \(found.name)” listens at \(origin.description), and is not meant for requests of extensions.",
      recovery: "If this extension may use that server, start it again with --allow-fetch.",
      details: [
        "permission": .string(permission.name), "state": .string(PermissionState.denied.rawValue),
        "server": .string(origin.description),
      ])
  }

  /// Lets a request connect to the addresses that its server may have. One that may lead to this machine or its networks is
  /// marked, so that servers there know that an extension asks.
  package static func confine(_ request: inout HTTPRequest, to origin: HTTPOrigin) {
    let reaches = reaches(of: origin)
    request.allowedReaches = reaches
    request.headers[FetchMark.field] = reaches == [.global] ? nil : "1"
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
