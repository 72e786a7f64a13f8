/// Something that widens what an extension may do, so that its manifest has to ask and its user has to agree.
///
/// An entitlement that only names a feature (`content`) is no permission: the manifest alone decides about it.
public struct PermissionKind: Sendable, Hashable {
  /// The name on the wire and on the command line.
  public let name: String
  /// What an extension may do with the permission: one sentence for the user who decides.
  public let allows: String
  /// Where a manifest asks for it, for example `Annex.Network`.
  public let manifestKey: String
  /// Whether the sandbox enforces it, so that a process that runs when it is taken away has to end.
  public let isEnforcedBySandbox: Bool

  init(_ name: String, manifestKey: String, isEnforcedBySandbox: Bool, _ allows: String) {
    self.name = name
    self.allows = allows
    self.manifestKey = manifestKey
    self.isEnforcedBySandbox = isEnforcedBySandbox
  }

  /// Requests to the hosts that the manifest names, through the host.
  public static let network = PermissionKind(
    "network", manifestKey: "Annex.Network", isEnforcedBySandbox: false,
    "It may send data to, and fetch data from, the hosts that its manifest names.")
  /// Calls of web APIs with the user's tokens, which the host sends to the servers that the manifest names.
  public static let auth = PermissionKind(
    "auth", manifestKey: "Annex.Auth", isEnforcedBySandbox: false,
    "It may call the web APIs that its manifest names, in the name of the signed-in user.")
  /// Operations of the Data Connect connectors that the manifest names, on behalf of the signed-in user.
  public static let data = PermissionKind(
    "data", manifestKey: "Annex.DataConnect", isEnforcedBySandbox: false,
    "It may read, and where it does not say “read” change, the data behind the connectors that its manifest names.")
  /// A keyboard's way to what it has typed: network, and writing to its app groups (`RequestsOpenAccess`).
  public static let openAccess = PermissionKind(
    "open-access", manifestKey: "NSExtension.NSExtensionAttributes.RequestsOpenAccess", isEnforcedBySandbox: true,
    "The keyboard may write to its app groups and use the network, and so pass on what is typed.")
  /// Machine code that the extension makes while it runs.
  public static let generatedCode = PermissionKind(
    "jit", manifestKey: "Annex.Entitlements", isEnforcedBySandbox: true,
    "It may run machine code that it makes itself, as compilers of scripts do.")

  /// App groups that another app claimed first: their values and their containers.
  public static let groups = PermissionKind(
    "group", manifestKey: "Entitlements[\"com.apple.security.application-groups\"]", isEnforcedBySandbox: true,
    "It may read and write what another app keeps in its app groups.")

  /// Every permission, in the order in which tools list them. A new permission is a line here and one in
  /// `readPermissions`, or in the rules of the point whose manifests ask for it. A manifest asks for ``groups`` by
  /// naming a group that is not its app's, which only a host knows.
  public static let all = [network, auth, data, openAccess, generatedCode, groups]

  /// The permission with a name, or `nil`.
  public static func named(_ name: String) -> PermissionKind? { all.first { $0.name == name } }
}

extension Manifest {
  /// Whether it asks for the permission to generate code.
  package var asksToGenerateCode: Bool { entitlements.contains(PermissionKind.generatedCode.name) }
}
