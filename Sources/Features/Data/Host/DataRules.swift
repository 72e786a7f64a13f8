import JSON
import Contracts
import ExtensionHosting
import ExtensionProtocol

/// The operations that an extension may execute, from the entries of its manifest. Pure.
struct DataRules: Sendable {
  let entries: [DataConnectorEntry]
  private let byPath: [String: DataConnectorEntry]

  /// - Parameter scope: of the permission `data`.
  init(scope: [String]) {
    entries = scope.compactMap { DataConnectorEntry($0) }
    byPath = Dictionary(entries.map { ($0.path, $0) }) { first, _ in first }
  }

  init(_ identity: Caller.Identity) {
    self.init(scope: identity.permissions.first { $0.name == PermissionKind.data.name }?.scope ?? [])
  }

  /// The entry that a call is made by.
  ///
  /// - Throws: `invalidParams` for what is no `service/connector`, `permissionDenied` where no entry has it, or has it for
  ///   queries alone.
  func entry(_ connector: String, _ kind: DataContract.Kind) throws(ExtensionError) -> DataConnectorEntry {
    if let entry = byPath[connector], !entry.isReadOnly || kind == .query { return entry }
    guard let asked = DataConnectorEntry(connector), !asked.isReadOnly else {
      throw ExtensionError(
        .invalidParams, "“\(connector.prefix(200))” is not a connector.",
        recovery: "Write it as service/connector, with the names of dataconnect.yaml and connector.yaml.")
    }
    throw byPath[asked.path] == nil
      ? Self.denied(
        asked, "Annex.DataConnect in the manifest does not name the connector “\(asked.path)”.",
        "Add it to Annex.DataConnect, or add \(asked.path):read for queries alone.")
      : Self.denied(
        asked, "Annex.DataConnect in the manifest names “\(asked.path)” for queries alone.",
        "Name it without :read, and let the user agree to that.")
  }

  private static func denied(_ asked: DataConnectorEntry, _ message: String, _ recovery: String) -> ExtensionError {
    ExtensionError(
      .permissionDenied, message, recovery: recovery,
      details: [
        "permission": .string(PermissionKind.data.name), "state": .string(PermissionState.denied.rawValue),
        "connector": .string(asked.path),
      ])
  }

  /// An emulator as it may be asked.
  ///
  /// - Throws: `permissionDenied` where no emulator may be named, `invalidParams` for another machine.
  static func check(_ emulator: DataContract.Emulator, isAllowed: Bool) throws(ExtensionError) {
    guard isAllowed else {
      throw ExtensionError(
        .permissionDenied, "This host's configuration does not let extensions choose an emulator.",
        recovery: "Leave the emulator out; or set DATA_CONNECT_ALLOW_EMULATOR = YES in the host's configuration.",
        details: ["kind": "emulator"])
    }
    guard isLoopback(emulator.host), (1...65_535).contains(emulator.port) else {
      throw ExtensionError(
        .invalidParams,
        "An emulator runs on this machine, and “\(emulator.host.prefix(200)):\(emulator.port)” does not.",
        recovery: "Give 127.0.0.1, ::1 or localhost, and a port from 1 to 65535.", details: ["kind": "emulator"])
    }
  }

  /// Whether a name or an address stands for this machine, without a look at any other.
  static func isLoopback(_ host: String) -> Bool {
    if ["localhost", "::1", "[::1]"].contains(host.lowercased()) { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && Int(part).map { $0 <= 255 } ?? false
      }
  }
}
