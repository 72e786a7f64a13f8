package import ExtensionProtocol
import Files
import PropertyList
import Text

/// The data that the host needs to start an extension, taken from the registry.
package struct LaunchTarget: Sendable {
  /// The extension, its app and its point.
  package var identity: Caller.Identity
  /// An absolute path: the program, or the script that the interpreter runs.
  package var executable: String
  /// The bundle's folder, or the folder that a script belongs to; `nil` when the executable stands alone.
  package var bundle: String?
  /// The path of the manifest; `nil` when there is none.
  package var manifest: String?
  /// An absolute path, which may be that of a link.
  package var interpreter: String?
  /// The interpreter's arguments before the script.
  package var interpreterArguments: [String]
  /// How messages are separated on the pipe.
  package var framing: Manifest.Framing
  /// The limits from the manifest.
  package var limits: Manifest.Limits
  /// The files that were verified when the bundle was installed; `nil` for one that is used where it lies.
  var verified: VerifiedFiles?
  /// The states of the permissions at the launch, by name; set by the host. A process keeps the permissions of its
  /// launch, whatever the user decides later.
  package var permissions: [String: PermissionState] = [:]

  /// Creates a target. The arguments are described at the properties.
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

extension ExtensionRegistry {
  /// Returns the data for starting an extension or a containing app.
  ///
  /// - Throws: `extensionUnknown` with near misses, or `extensionInvalid` with every reason.
  package func launchTarget(_ identifier: String) throws(ExtensionError) -> LaunchTarget {
    let entry = try usable(identifier)
    guard let manifest = entry.manifest, let executable = entry.executablePath else {
      throw ExtensionError(
        .extensionInvalid, "\(entry.displayName) has no executable, so it cannot be started.",
        recovery: "Name its program under CFBundleExecutable in \(entry.manifestPath).")
    }
    let app = containingApp(of: entry)?.manifest
    var identity = Caller.Identity(
      id: entry.identifier, version: manifest.shortVersion ?? manifest.version.text, displayName: entry.displayName,
      point: manifest.point, containingApp: entry.containingApp ?? entry.identifier,
      groups: manifest.appGroups.filter { app?.appGroups.contains($0) ?? false },
      entitlements: manifest.entitlements, permissions: manifest.askedPermissions)
    identity.contentQueries = manifest.contentQueries
    identity.origin = entry.origin
    var target = LaunchTarget(
      identity: identity, executable: executable, bundle: entry.bundlePath ?? entry.programFolder,
      manifest: entry.manifestPath, interpreter: entry.interpreterPath,
      interpreterArguments: manifest.interpreterArguments,
      framing: manifest.framing, limits: manifest.limits)
    target.verified = entry.verified
    return target
  }

  private func usable(_ identifier: String) throws(ExtensionError) -> RegistryEntry {
    if let app = apps.first(where: { $0.identifier == identifier }) { return app }
    return try enabledExtension(identifier)
  }
}

/// What the files of a launch target are, to see whether they are still the same.
struct TargetStamp: Sendable, Equatable {
  private let executable: FileStamp?
  private let manifest: FileStamp?
  private let bundle: FileStamp?

  init(_ target: LaunchTarget) {
    executable = FileStamp(target.executable)
    manifest = target.manifest.flatMap { FileStamp($0) }
    bundle = target.bundle.flatMap { FileStamp($0) }
  }

  /// The executable's part as a text, for a file; `nil` when there is no executable.
  var text: String? { executable?.text }
}

extension LaunchTarget {
  /// Whether it is started from the same files as another target.
  func hasSameFiles(as other: LaunchTarget) -> Bool {
    // As the kernel tells paths: two spellings of an accent are two.
    func isSame(_ one: String?, _ two: String?) -> Bool { one.map { ExactText($0) } == two.map { ExactText($0) } }
    return isSame(executable, other.executable) && isSame(manifest, other.manifest) && isSame(bundle, other.bundle)
  }
}
