import CommandRuntime
import ExtensionHosting
import ExtensionProtocol

/// The record of what a user told the registry, in the state folder.
enum RegistryFile {
  static func path(in state: StateDirectory) -> String { "\(state.path)/registry.json" }

  /// Changes the record, while no other process can; the folder is made when it is not there.
  static func update<Result>(
    _ invocation: Invocation, _ change: (inout RegistryRecord) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    let state = try invocation.state()
    _ = try state.folder("store")
    return try await RegistryRecord.update(at: path(in: state), change)
  }
}

extension Invocation {
  /// What a user told the registry; empty when there is no folder to keep it in.
  func record() throws(ExtensionError) -> RegistryRecord {
    guard let state = try? state() else { return RegistryRecord() }
    return try RegistryRecord.load(from: RegistryFile.path(in: state))
  }
}
