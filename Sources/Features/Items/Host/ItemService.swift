public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC
import Synchronization

/// `item/…`: gives an extension the attachments of its own requests that were too large to travel inline.
public final class ItemService: HostService {
  public typealias Contract = Items

  /// An attachment that the host keeps until somebody loads it.
  public struct Source: Sendable {
    public var bytes: [UInt8]
    public var typeIdentifiers: [String]
    public var suggestedName: String?

    public init(bytes: [UInt8], typeIdentifiers: [String], suggestedName: String?) {
      self.bytes = bytes
      self.typeIdentifiers = typeIdentifiers
      self.suggestedName = suggestedName
    }
  }

  private struct Key: Hashable {
    var instance: UInt64
    var itemID: String
  }

  private let sources = Mutex<[Key: Source]>([:])
  private let conforms: @Sendable (_ type: String, _ other: String) -> Bool

  /// - Parameter conforms: whether a uniform type identifier conforms to another.
  public init(conforms: @escaping @Sendable (_ type: String, _ other: String) -> Bool) {
    self.conforms = conforms
  }

  /// Keeps attachments for `item/load` of one process, by `itemID`, until it ends.
  public func offer(_ sources: [String: Source], to process: ExtensionProcess) {
    let instance = process.caller.instance
    self.sources.withLock { kept in
      for (itemID, source) in sources { kept[Key(instance: instance, itemID: itemID)] = source }
    }
  }

  public func callerDidExit(_ caller: Caller) async {
    sources.withLock { $0 = $0.filter { $0.key.instance != caller.instance } }
  }

  @HandlerBuilder public var handlers: [Handler] {
    Handler(Items.Load.self) { params, caller in try await self.load(params, for: caller) }
  }

  private func load(_ params: Items.Load, for caller: Caller) async throws -> Items.Load.Result {
    guard let source = sources.withLock({ $0[Key(instance: caller.instance, itemID: params.itemID)] }) else {
      throw Self.providerError(-1000, "There is no attachment \(params.itemID) in this request.")
    }
    guard let type = source.typeIdentifiers.first(where: { conforms($0, params.typeIdentifier) }) else {
      throw Self.providerError(
        -1200, "The attachment \(params.itemID) has no representation that conforms to \(params.typeIdentifier).")
    }
    let path = try caller.grant(source.bytes, name: "item-\(params.itemID)")
    return Items.Load.Result(typeIdentifier: type, path: path, suggestedName: source.suggestedName)
  }

  /// `NSItemProviderErrorDomain`
  private static func providerError(_ code: Int64, _ message: String) -> ExtensionError {
    ExtensionError(
      .framework, message,
      details: [
        "domain": .string("NSItemProviderErrorDomain"), "code": .integer(code),
        "localizedDescription": .string(message),
      ])
  }
}
