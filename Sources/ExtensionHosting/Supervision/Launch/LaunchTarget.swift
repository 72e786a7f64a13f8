package import ExtensionProtocol

/// What the host has to know to start an extension, taken from the registry.
package struct LaunchTarget: Sendable {
  package var identity: Caller.Identity
  /// An absolute path: the program, or the script that the interpreter runs.
  package var executable: String
  /// The bundle's folder; `nil` when the executable stands alone.
  package var bundle: String?
  /// The path of the manifest; `nil` when there is none.
  package var manifest: String?
  package var interpreter: String?
  package var framing: Manifest.Framing
  package var limits: Manifest.Limits
  /// The permissions that the user has granted at the time of the launch; set by the host.
  package var grants: Set<String> = []
  /// Whether the user has given the extension open access: a keyboard may then write to its app groups.
  package var hasOpenAccess: Bool { grants.contains(PermissionKind.openAccess.name) }

  package init(
    identity: Caller.Identity, executable: String, bundle: String? = nil, manifest: String? = nil,
    interpreter: String? = nil,
    framing: Manifest.Framing = .lines, limits: Manifest.Limits = Manifest.Limits()
  ) {
    self.identity = identity
    self.executable = executable
    self.bundle = bundle
    self.manifest = manifest
    self.interpreter = interpreter
    self.framing = framing
    self.limits = limits
  }
}
