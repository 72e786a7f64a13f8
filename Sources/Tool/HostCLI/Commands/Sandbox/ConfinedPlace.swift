import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices
import Sandbox

/// The folders of one confined program: scratch for this run, a container that is kept when the user named it.
struct ConfinedPlace {
  /// Everything that is made for this run.
  private let folder: RunFolder
  private let scratch: String
  private let container: String
  private let bundle: String?
  private let owner: ExtensionUser?
  private let protected: [String]
  /// Of the point.
  let limits: ExtensionLimits
  private let generatesCode: Bool

  /// - Throws: `storeFailed` when a folder cannot be made, `extensionUnknown` for a bundle that is not there.
  init(_ invocation: Invocation) throws {
    let points = try invocation.points()
    let named = try invocation.parsed.value("point").map { (name) throws(CommandLineError) in try points.required(name)
    }
    limits = points.definition(of: named ?? Features.points.points.first ?? .containingApp).limits
    generatesCode = invocation.parsed.flag("jit")
    let owner = ExtensionUser.ofTool
    self.owner = owner
    protected = (try? invocation.state()).map { [$0.path] } ?? []
    bundle = try invocation.parsed.value("bundle").map { (name) throws(ExtensionError) in try Self.existing(name) }
    let kept = try invocation.parsed.value("container").map { (name) throws(ExtensionError) in
      try Self.made(name, owner: owner)
    }
    let folder = try RunFolder("run", invocation.environment)
    self.folder = folder
    do {
      // Without an own root the program's own user has to find its way through it.
      _ = chmod(folder.path, 0o711)
      let place = try Self.existing(folder.path)
      scratch = try Self.made("\(place)/scratch", owner: owner)
      container = try kept ?? Self.made("\(place)/container", owner: owner)
    } catch {
      folder.remove()
      throw error
    }
    var status = stat()
    if kept != nil, stat(container, &status) == 0, status.st_uid != owner?.uid ?? geteuid() {
      invocation.console.warn(
        "\(container) belongs to user \(status.st_uid), the program runs as user \(owner?.uid ?? geteuid()).")
    }
  }

  /// What the program may write to.
  var writable: [String] { [container, scratch] }

  /// Removes what was made for this run.
  func remove() {
    folder.remove()
  }

  func policy(for program: ConfinedProgram) -> SandboxPolicy {
    var policy = SandboxPolicy(
      executable: program.path, scratch: scratch, userID: owner?.uid ?? geteuid(), groupID: owner?.gid ?? getegid())
    policy.name = program.name
    policy.arguments = program.arguments
    policy.readOnlyPaths = program.readOnlyPaths
    if let bundle, program.path.isBelow(bundle) { policy.bundle = bundle }
    if let bundle, policy.bundle == nil { policy.readOnlyPaths.append(bundle) }
    policy.containers = [.init(path: container, access: .readWrite)]
    policy.environment["HOME"] = container
    policy.protectedPaths = protected
    policy.limits = SandboxLimits(limits)
    policy.generatedCode = generatesCode
    return policy
  }

  private static func existing(_ name: String) throws(ExtensionError) -> String {
    guard let path = File.resolved(name) else {
      throw ExtensionError(
        .extensionUnknown, "Cannot find “\(name)”: \(SystemError.last).",
        recovery: "Name a folder that exists.")
    }
    return path
  }

  private static func made(_ name: String, owner: ExtensionUser?) throws(ExtensionError) -> String {
    if mkdir(name, 0o700) == 0 {
      let path = try existing(name)
      if let owner { _ = chown(path, owner.uid, owner.gid) }
      return path
    }
    guard errno == EEXIST else {
      throw ExtensionError(
        .storeFailed, "Cannot create “\(name)”: \(SystemError.last).",
        recovery: "Name a folder inside one that exists.")
    }
    return try existing(name)
  }
}
