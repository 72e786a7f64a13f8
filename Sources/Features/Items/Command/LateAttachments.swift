import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// The values of attachments that an extension returned without them: fetched while it runs, since it takes them with it.
struct LateAttachments {
  typealias Load = (_ attachment: ItemProvider, _ limit: Int) async throws(ExtensionError) -> [UInt8]

  /// What the extension was given, by `itemID`: an attachment of it that comes back is the host's own.
  private let given: [String: [UInt8]]
  private var fetched: [String: [UInt8]] = [:]
  /// What is kept of the extension, on the host's account of it.
  private var hold: LedgerHold?
  private var errors: [String: ExtensionError] = [:]
  private var remaining = SharedInput.limit
  /// Why the extension is asked for nothing more: it is gone, or keeps the host waiting.
  private var refusal: ExtensionError?

  init(of input: SharedInput) { given = input.bytes }

  /// What could not be fetched, as sentences.
  var warnings: [String] {
    errors.sorted { $0.key < $1.key }.map { "There is no value of \($0.key): \($0.value.message)" }
  }

  /// Fetches what is missing in some items.
  ///
  /// - Parameters:
  ///   - process: the extension.
  ///   - load: asks it.
  /// - Returns: the items, with the values that are small enough to travel with them.
  /// - Throws: `cancelled` only; other errors are kept.
  mutating func fetch(
    for items: [ExtensionItem], of process: ExtensionProcess, _ load: Load
  ) async throws(ExtensionError) -> [ExtensionItem] {
    var items = items
    hold = process.hold()
    for (place, item) in items.enumerated() {
      for (index, attachment) in item.attachments.enumerated() where attachment.inline == nil {
        guard let value = try await value(of: attachment, load) else { continue }
        items[place].attachments[index].estimatedSize = value.count
        guard value.count < ItemProvider.inlineLimit else { continue }
        items[place].attachments[index].inline = ItemProvider.Inline(
          type: attachment.registeredTypeIdentifiers.first ?? "public.data", bytes: value)
      }
    }
    return items
  }

  /// There may be one for each of thousands of attachments: a sentence of each is kept.
  private static func shortened(_ error: ExtensionError) -> ExtensionError {
    guard error.weight > longestError else { return error }
    return ExtensionError(error.code, error.message.prefix(utf8: longestError / 8) + "…")
  }

  private static let longestError = 4096

  /// The value of an attachment that did not travel with it; `nil` when it did.
  ///
  /// - Throws: why it could not be fetched.
  func value(of attachment: ItemProvider) throws(ExtensionError) -> [UInt8]? {
    if let error = errors[attachment.itemID] { throw error }
    return fetched[attachment.itemID] ?? (attachment.inline == nil ? given[attachment.itemID] : nil)
  }

  private mutating func value(
    of attachment: ItemProvider, _ load: Load
  ) async throws(ExtensionError) -> [UInt8]? {
    let id = attachment.itemID
    if let known = fetched[id] ?? given[id] { return known }
    if let refusal {
      errors[id] = refusal
      return nil
    }
    do {
      let value = try await load(attachment, remaining)
      try hold?.keep(bytes: value.count)
      fetched[id] = value
      remaining -= value.count
      return value
    } catch {
      if error.code == .cancelled, Task.isCancelled { throw error }
      errors[id] = Self.shortened(error)
      if error.code == .deadlineExceeded || error.code == .peerExited { refusal = error }
      return nil
    }
  }
}
