import CommandLineTool
import CommandRuntime
import ExtensionHosting
import JSON

/// The state of entries after a command changed the registry: a line, or an object, for each.
enum RegistryState {
  static func print(_ entries: [RegistryEntry], to console: Console) {
    for entry in entries {
      let version = entry.manifest.map { " \($0.version.text)" } ?? ""
      console.print("\(entry.tag) \(entry.identifier)\(version) \(entry.state.name)")
      for reason in entry.advisedReasons { console.note("  \(reason)") }
      if let fault = entry.faults.first { console.note("  help: \(fault.advisedRecovery)") }
    }
  }

  static func document(_ entry: RegistryEntry) -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(entry.identifier)
    object["version"] = entry.manifest.map { .string($0.version.text) } ?? .null
    object["path"] = .string(entry.bundlePath ?? entry.manifestPath)
    object["tag"] = .string(String(entry.tag))
    object["state"] = .string(entry.state.name)
    object["reasons"] = .array(entry.advisedReasons.map { .string($0) })
    return .object(object)
  }
}
