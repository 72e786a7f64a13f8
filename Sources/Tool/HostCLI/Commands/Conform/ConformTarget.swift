import CommandLineTool
import CommandRuntime
import Conformance
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices
import Sandbox

/// The extension that `host conform` tries: one that is listed, or any program with what the options say of it.
struct ConformTarget {
  let target: LaunchTarget

  /// - Throws: a usage error when the point is not known, `extensionUnknown` when there is no such program.
  init(_ invocation: Invocation, registry: ExtensionRegistry) throws {
    let name = invocation.parsed.arguments("EXECUTABLE").first ?? ""
    let point = try invocation.point()
    var target: LaunchTarget
    if let id = try Self.identifier(name, invocation, registry) {
      target = try registry.launchTarget(id)
      if invocation.parsed.value("manifest") != nil, name.contains("/") { target.executable = try Self.file(name) }
    } else {
      guard let point else {
        throw CommandLineError(
          "“\(name.escapedForTerminal)” has no manifest that would name its extension point.",
          help: "Add --point POINT, or --manifest FILE; “host list” shows the extensions that have one.")
      }
      target = try Self.plain(name, point, needsGroup: invocation.tool.checks.needsAppGroup(at: point))
    }
    if let point { target.identity.point = point }
    if let interpreter = invocation.parsed.value("interpreter") { target.interpreter = interpreter }
    if let framing = invocation.parsed.value("framing").flatMap({ Manifest.Framing(rawValue: $0) }) {
      target.framing = framing
    }
    self.target = target
  }

  /// The identifier under which the registry knows what the user named.
  private static func identifier(
    _ name: String, _ invocation: Invocation, _ registry: ExtensionRegistry
  ) throws -> String? {
    if let manifest = invocation.parsed.value("manifest") {
      let path = try file(manifest)
      if let entry = registry.entries.first(where: { $0.manifestPath == path }) { return entry.identifier }
      throw ExtensionError(
        .extensionUnknown, "\(manifest) is not a manifest of an extension.",
        recovery: "Run \"host list --manifests \(folder(of: path))\" to see what is wrong with it.")
    }
    guard name.contains("/") else { return name }
    let path = try file(name)
    return registry.entries.first { !$0.isApp && $0.executablePath.flatMap(File.resolved) == path }?.identifier
  }

  /// A program without a manifest: nothing is granted to it but a place for documents, where its point needs one.
  private static func plain(
    _ name: String, _ point: ExtensionPoint, needsGroup: Bool
  ) throws(ExtensionError) -> LaunchTarget {
    let path = try file(name)
    let short = Folder.name(of: path)
    let identity = Caller.Identity(
      id: "conformance.extension", version: nil, displayName: short, point: point, containingApp: "conformance",
      groups: needsGroup ? ["group.conformance"] : [], entitlements: [])
    return LaunchTarget(identity: identity, executable: path, interpreter: ScriptInterpreter.path(of: path))
  }

  private static func file(_ name: String) throws(ExtensionError) -> String {
    if let path = File.resolved(name), access(path, R_OK) == 0 { return path }
    throw ExtensionError(
      .extensionUnknown, "There is no file “\(name.escapedForTerminal)”.",
      recovery: "Give the path of a program, or the identifier of an extension that \"host list\" shows.")
  }

  static func folder(of path: String) -> String {
    Folder.parent(of: path)
  }
}
