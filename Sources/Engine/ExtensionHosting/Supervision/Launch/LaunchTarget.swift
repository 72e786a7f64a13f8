package import ExtensionProtocol

/// What the host has to know to start an extension, taken from the registry.
package struct LaunchTarget: Sendable {
  package var identity: Caller.Identity
  /// An absolute path: the program, or the script that the interpreter runs.
  package var executable: String
  /// The bundle's folder, or the folder that a script belongs to; `nil` when the executable stands alone.
  package var bundle: String?
  /// The path of the manifest; `nil` when there is none.
  package var manifest: String?
  /// An absolute path, which may be that of a link.
  package var interpreter: String?
  /// What the interpreter is told before the script.
  package var interpreterArguments: [String]
  package var framing: Manifest.Framing
  package var limits: Manifest.Limits
  /// What held for the permissions at the time of the launch, by name; set by the host. The process has what was granted
  /// then, whatever is decided afterwards.
  package var permissions: [String: PermissionState] = [:]

  package init(
    identity: Caller.Identity, executable: String, bundle: String? = nil, manifest: String? = nil,
    interpreter: String? = nil, interpreterArguments: [String] = [],
    framing: Manifest.Framing = .lines, limits: Manifest.Limits = Manifest.Limits()
  ) {
    self.identity = identity
    self.executable = executable
    self.bundle = bundle
    self.manifest = manifest
    self.interpreter = interpreter
    self.interpreterArguments = interpreterArguments
    self.framing = framing
    self.limits = limits
  }

  /// Whether the user had granted a permission at the time of the launch.
  package func isGranted(_ permission: PermissionKind) -> Bool { permissions[permission.name] == .granted }
}
