public import ExtensionProtocol
import JSON
public import JSONRPC

/// Accounts for the memory that the host keeps for one process of an extension, bounded by
/// ``ExtensionHost/Configuration/heldMemory``.
extension ExtensionProcess {
  /// Returns a hold that counts a collection's memory against the extension's limit while the hold exists.
  public func hold() -> LedgerHold { LedgerHold(on: connection.ledger) }
}

extension Caller {
  /// Returns a hold that counts a collection's memory against the caller's limit while the hold exists.
  public func hold() -> LedgerHold { process.hold() }
}

extension LedgerHold {
  /// Keeps a value.
  ///
  /// - Throws: `peerExited` with figure and ceiling when that is more than the host keeps for one process: the extension
  ///   is being ended.
  public func keep(_ value: some Encodable) throws(ExtensionError) {
    try keep(bytes: (try? JSONCoding.weight(of: value)) ?? 0)
  }

  /// Keeps bytes that are there already.
  ///
  /// - Throws: as ``keep(_:)``.
  public func keep(bytes: Int) throws(ExtensionError) {
    if add(bytes) { return }
    let reason = excess.map(ExitReason.init) ?? .unknown
    throw ExtensionError(
      .peerExited, "The extension \(reason.description).", recovery: reason.recovery, details: reason.details)
  }

  /// Checks that the limit leaves room for this many bytes, before they are read.
  ///
  /// - Throws: `limitExceeded` when there is no room; the extension is not ended.
  public func makeSpace(for bytes: Int) throws(ExtensionError) {
    guard reserve(bytes) else {
      throw ExtensionError(
        .limitExceeded, "There is no space for \(bytes) bytes more in what the host keeps for one extension.",
        recovery: "Wait for the calls before this one.", details: ["bytes": .integer(Int64(bytes))])
    }
  }
}

extension ExtensionError {
  /// The approximate memory of the error, in bytes.
  package var weight: Int {
    let members = details.reduce(0) { $0 + JSONValue.bytesOfValue + $1.key.utf8.count + $1.value.weight }
    return message.utf8.count + (recovery?.utf8.count ?? 0) + members + cause.reduce(0) { $0 + $1.utf8.count }
  }
}
