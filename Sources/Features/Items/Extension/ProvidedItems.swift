import Text
import CLinux
public import Contracts
import ExtensionProtocol
public import ExtensionRuntime
import Files
import Glibc
import JSON
import PropertyList
import Synchronization

/// Attachments that an extension returns without their values. The host requests a value when it needs it, while the
/// extension runs.
package final class ProvidedItems: SessionFeature {
  /// Loads the bytes of an attachment for one of its types.
  package typealias Load = @Sendable (_ type: String) async throws -> [UInt8]

  private let loads = Mutex<[String: Load]>([:])

  /// Creates a list without attachments.
  package init() {}

  /// Keeps what makes the value, and gives it a name.
  func add(_ load: @escaping Load) -> String {
    loads.withLock { loads in
      let itemID = "n\(loads.count + 1)"
      loads[itemID] = load
      return itemID
    }
  }

  /// `item/provide`, for every point with requests.
  package static let handler = SessionHandler(Items.Provide.self) { params, session in
    guard let load = session.features.feature(ProvidedItems.self).loads.withLock({ $0[params.itemID] }) else {
      throw ItemProviderError.itemUnavailable.error("There is no attachment \(params.itemID) to provide.")
    }
    let type = params.typeIdentifier
    let bytes = try await load(type)
    if bytes.count < ItemProvider.inlineLimit {
      return Items.Provide.Result(kind: .data, typeIdentifier: type, value: Base64.encode(bytes))
    }
    guard let scratch = session.parameters?.directories.scratch else {
      throw ItemProviderError.itemUnavailable.error("There is no scratch directory to put the value into.")
    }
    let name = "provided-\(params.itemID)"
    try write(bytes, to: "\(scratch)/\(name)")
    return Items.Provide.Result(kind: .file, typeIdentifier: type, path: name)
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(ExtensionError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    guard clinux_write_all(descriptor, bytes, bytes.count) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String) -> ExtensionError {
    ExtensionError(.handlerFailed, "Cannot write \(path): \(SystemError.last).")
  }
}

extension ExtensionContext {
  /// An attachment to return, whose value is made when the host asks for it, which may be after the request is completed.
  ///
  /// - Parameters:
  ///   - types: uniform type identifiers, the one of highest fidelity first.
  ///   - suggestedName: a file name for people.
  ///   - load: makes the bytes in the type that the host asks for.
  public func attachment(
    types: [String], suggestedName: String? = nil,
    load: @escaping @Sendable (_ type: String) async throws -> [UInt8]
  ) -> ItemProvider {
    let itemID = session.features.feature(ProvidedItems.self).add(load)
    return ItemProvider(itemID: itemID, registeredTypeIdentifiers: types, suggestedName: suggestedName)
  }
}
