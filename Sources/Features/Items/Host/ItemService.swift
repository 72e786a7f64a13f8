import Text
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import PropertyList
import Synchronization

/// `item/…`: sends an extension the attachments of its own requests that are too large to be sent inline.
public final class ItemService: HostService {
  /// The methods that are served, those under `item/`.
  public typealias Contract = Items

  private struct Key: Hashable {
    var instance: UInt64
    var itemID: ExactText
  }

  private let sources = Mutex<[Key: Source]>([:])
  private let requests: RequestService?
  private let conforms: @Sendable (_ type: String, _ other: String) -> Bool

  /// - Parameters:
  ///   - requests: knows the open requests and the attachments they show. Without it, every offered attachment can be
  ///     loaded until the process ends.
  ///   - conforms: whether a uniform type identifier conforms to another.
  public init(
    requests: RequestService? = nil, conforms: @escaping @Sendable (_ type: String, _ other: String) -> Bool
  ) {
    self.requests = requests
    self.conforms = conforms
  }

  /// Keeps attachments for `item/load` of one process, by `itemID`, until it ends. Each can be loaded in the requests that
  /// were begun with it, if it shows itself to the extension.
  public func offer(_ sources: [String: Source], to process: ExtensionProcess) {
    let instance = process.caller.instance
    self.sources.withLock { kept in
      for (itemID, source) in sources { kept[Key(instance: instance, itemID: ExactText(itemID))] = source }
    }
  }

  /// Forgets the attachments that were kept for the process.
  public func callerDidExit(_ caller: Caller) async {
    sources.withLock { $0 = $0.filter { $0.key.instance != caller.instance } }
  }

  /// Answers the methods under `item/`, for open requests of the caller and for what shows itself to it.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Items.Load.self) { params, caller in try await self.load(params, for: caller) }
    Handler(Items.HasConforming.self) { params, caller in
      let source = try self.source(params.itemID, of: params.requestID, for: caller)
      return Items.HasConforming.Result(value: self.type(in: source, for: params.typeIdentifier) != nil)
    }
  }

  /// - Throws: `requestUnknown` when the request has ended, or `itemUnavailable`.
  private func source(_ itemID: String, of requestID: String, for caller: Caller) throws(ExtensionError) -> Source {
    if let requests, !requests.isOpen(requestID, of: caller) {
      throw ExtensionError(.requestUnknown, "The request \(requestID) is not open, so its attachments are not either.")
    }
    // What was offered to the process is not yet shown in this request: an identifier can be guessed.
    let isShown = requests?.shows(itemID, in: requestID, to: caller) ?? true
    let key = Key(instance: caller.instance, itemID: ExactText(itemID))
    guard isShown, let source = sources.withLock({ $0[key] }) else {
      throw ItemProviderError.itemUnavailable.error("There is no attachment \(itemID) in this request.")
    }
    return source
  }

  /// The best match: the first registered type that conforms to the one asked for.
  private func type(in source: Source, for wanted: String) -> String? {
    source.typeIdentifiers.first { conforms($0, wanted) }
  }

  private func load(_ params: Items.Load, for caller: Caller) async throws -> Items.Load.Result {
    let source = try source(params.itemID, of: params.requestID, for: caller)
    let representation = params.representation ?? .data
    let (type, bytes) =
      representation == .preview
      ? try await preview(of: source, params) : try await value(of: source, params, coerces: representation == .item)
    if representation == .item { try ItemCoercion.check(bytes, as: type, conforms) }
    var result = Items.Load.Result(typeIdentifier: type, suggestedName: source.suggestedName)
    // An extension sees no file of the host, so what it gets is a copy whatever it asked for.
    if representation == .inPlace { result.isInPlace = false }
    if [.data, .item, .preview].contains(representation), bytes.count < ItemProvider.inlineLimit {
      result.inline = ItemProvider.Inline(type: type, bytes: bytes)
    } else {
      result.path = try caller.grant(bytes, name: "item-\(params.itemID)")
    }
    return result
  }

  private func value(
    of source: Source, _ params: Items.Load, coerces: Bool
  ) async throws -> (type: String, bytes: [UInt8]) {
    let wanted = params.typeIdentifier
    if let type = type(in: source, for: wanted) {
      return (type, try await bytes(of: source, as: type, params.options))
    }
    // data -> image, URL -> image: the bytes themselves say whether they are one.
    if coerces, let type = source.typeIdentifiers.first(where: { conforms($0, "public.data") }) {
      let isAddress = conforms(type, "public.url")
      let bytes = try await bytes(of: source, as: isAddress ? "public.data" : type, params.options)
      if let image = ItemCoercion.imageType(bytes), conforms(image, wanted) { return (image, bytes) }
    }
    throw ItemProviderError.unavailableCoercion.error(
      "The attachment \(params.itemID) has no representation that conforms to \(wanted).")
  }

  private func preview(of source: Source, _ params: Items.Load) async throws -> (type: String, bytes: [UInt8]) {
    let own = type(in: source, for: "public.image")
    guard source.preview != nil || own != nil else {
      throw ItemProviderError.unavailableCoercion.error("The attachment \(params.itemID) has no preview.")
    }
    let made = try await bytes(of: source, as: own ?? params.typeIdentifier, params.options, by: source.preview)
    guard let type = ItemCoercion.imageType(made) else {
      throw ItemProviderError.unexpectedValueClass.error("The preview of \(params.itemID) is not a picture.")
    }
    return (type, made)
  }

  /// - Parameter load: makes them, in place of the source itself.
  private func bytes(
    of source: Source, as type: String, _ options: Items.Options?, by load: Source.Load? = nil
  ) async throws -> [UInt8] {
    do {
      return try await (load ?? source.load)(type, options)
    } catch let error as ExtensionError {
      throw error
    } catch is CancellationError {
      throw ExtensionError(.cancelled, "The loading of the attachment was cancelled.")
    } catch {
      throw ItemProviderError.unknown.error("The attachment cannot be loaded: \(error)")
    }
  }
}

extension ItemProvider.Inline {
  /// Bytes as they travel: as text where they are UTF-8, else in base64.
  public init(type: String, bytes: [UInt8]) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(type: type, value: text)
    } else {
      self.init(type: type, value: Base64.encode(bytes), encoding: "base64")
    }
  }
}
