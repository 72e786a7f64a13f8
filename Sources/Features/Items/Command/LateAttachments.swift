import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC
import Text

/// The values of attachments that an extension returned without them: fetched while it runs, since it takes them with it.
struct LateAttachments {
  typealias Load = (_ attachment: ItemProvider, _ limit: Int) async throws(ExtensionError) -> [UInt8]

  /// The attachments that the extension received, by `itemID`: one of them that comes back is the host's own.
  private let given: [String: [UInt8]]
  /// By the names that the extension chose, to the byte.
  private var fetched: [ExactText: [UInt8]] = [:]
  /// The memory of the extension's attachments, counted against its limit.
  private var hold: LedgerHold?
  private var errors: [ExactText: ExtensionError] = [:]
  private var remaining = SharedInput.limit
  /// The reason the extension is no longer asked: it has exited, or keeps the host waiting.
  private var refusal: ExtensionError?

  init(of input: SharedInput) { given = input.bytes }

  /// One sentence for each attachment that could not be fetched.
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
    try await fetch(for: items, holding: process.hold(), load)
  }

  /// - Parameter hold: counts the memory of the values.
  mutating func fetch(
    for items: [ExtensionItem], holding hold: LedgerHold?, _ load: Load
  ) async throws(ExtensionError) -> [ExtensionItem] {
    var items = items
    self.hold = hold
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
  static func shortened(_ error: ExtensionError) -> ExtensionError {
    guard error.weight > longestError else { return error }
    return ExtensionError(error.code, error.message.prefix(utf8: longestError / 8) + "…")
  }

  static let longestError = 4096

  /// The value of an attachment that did not travel with it; `nil` when it did.
  ///
  /// - Throws: why it could not be fetched.
  func value(of attachment: ItemProvider) throws(ExtensionError) -> [UInt8]? {
    let id = ExactText(attachment.itemID)
    if let error = errors[id] { throw error }
    return fetched[id] ?? (attachment.inline == nil ? given[attachment.itemID] : nil)
  }

  private mutating func value(
    of attachment: ItemProvider, _ load: Load
  ) async throws(ExtensionError) -> [UInt8]? {
    let id = ExactText(attachment.itemID)
    if let known = fetched[id] ?? given[attachment.itemID] { return known }
    if let refusal {
      errors[id] = refusal
      return nil
    }
    do {
      let value = try await load(attachment, remaining)
      try hold?.keep(bytes: value.count)
      fetched[id] = value
      errors[id] = nil
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
