import Text
public import Contracts
import ExtensionProtocol
public import ExtensionRuntime
import Files
import JSON
import PropertyList
import Synchronization

/// Attachments that an extension returns without their values. The host requests a value when it needs it, while the
/// extension runs.
package final class ProvidedItems: SessionFeature {
  /// Loads the bytes of an attachment for one of its types.
  package typealias Load = @Sendable (_ type: String) async throws -> [UInt8]

  private struct Item {
    let load: Load
    /// The types whose values were put into files, in order: each has a file of its own.
    var types: [String] = []

    /// The number of a type, from 1.
    mutating func number(of type: String) -> Int {
      if let index = types.firstIndex(of: type) { return index + 1 }
      types.append(type)
      return types.count
    }
  }

  private let items = Mutex<[String: Item]>([:])

  /// Creates a list without attachments.
  package init() {}

  /// Keeps what makes the value, and gives it a name.
  func add(_ load: @escaping Load) -> String {
    items.withLock { items in
      let itemID = "n\(items.count + 1)"
      items[itemID] = Item(load: load)
      return itemID
    }
  }

  /// `item/provide`, for every point with requests.
  package static let handler = SessionHandler(Items.Provide.self) { params, session in
    let items = session.features.feature(ProvidedItems.self)
    guard let load = items.items.withLock({ $0[params.itemID]?.load }) else {
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
    // The host may still read what was put here for another type, or for an earlier question.
    let number = items.items.withLock { $0[params.itemID]?.number(of: type) ?? 0 }
    let name = "provided-\(params.itemID)-\(number)"
    do throws(FileError) { try File.replace("\(scratch)/\(name)", with: bytes) } catch {
      throw ExtensionError(.handlerFailed, error.message)
    }
    return Items.Provide.Result(kind: .file, typeIdentifier: type, path: name)
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
