package import ExtensionHosting
package import ExtensionProtocol
import Files

/// The record of what a user told the registry, in the state folder.
package enum RegistryFile {
  /// The path of the record.
  package static func path(in state: StateDirectory) -> String { "\(state.path)/registry.json" }

  /// Changes the record, while no other process can; the folder is made when it is not there.
  package static func update<Result>(
    _ invocation: Invocation, _ change: (inout RegistryRecord) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    let state = try invocation.state()
    _ = try state.folder("store")
    return try await RegistryRecord.update(at: path(in: state), change)
  }

  /// Takes bundles out of a record, with what was approved of their extensions. The files stay.
  package static func remove(_ paths: [String], from record: inout RegistryRecord, known registry: ExtensionRegistry) {
    for path in paths {
      _ = record.remove(bundle: path)
      for entry in registry.entries where entry.manifestPath.isBelow(path) {
        record.forgetApproval(of: entry.identifier)
      }
    }
  }
}

extension Invocation {
  /// What a user told the registry; empty when there is no folder to keep it in.
  package func record() throws(ExtensionError) -> RegistryRecord {
    guard let state = try? state() else { return RegistryRecord() }
    return try RegistryRecord.load(from: RegistryFile.path(in: state))
  }
}
