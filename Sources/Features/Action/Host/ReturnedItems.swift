import JSON
public import Contracts

/// Combines the items that an action returned with those that it received.
///
/// An editor's items take the place of the input's, by position, and each returned attachment that of the first input
/// attachment of a conforming type. A viewer returns nothing. An action without a role returns items of its own. Attachments
/// of types that the host does not take are dropped.
public struct ReturnedItems: Sendable, Equatable {
  /// The combined items; empty for a viewer.
  public private(set) var items: [ExtensionItem]
  /// One sentence for each dropped attachment, with the reason.
  public private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - input: the items that the action received.
  ///   - returned: the items that it returned.
  ///   - role: from the manifest, `NSExtensionServiceRoleType`; `nil` when it names none.
  ///   - acceptableTypes: what the host takes; `nil` takes anything.
  ///   - conforms: whether a uniform type identifier conforms to another.
  public init(
    input: [ExtensionItem], returned: [ExtensionItem], role: Action.Role?, acceptableTypes: [String]?,
    conforms: (_ type: String, _ other: String) -> Bool
  ) {
    items = []
    if role == .viewer {
      if !returned.isEmpty { warnings.append("A viewer returns nothing; \(returned.count) item(s) were dropped.") }
      return
    }
    let taken = returned.enumerated().map { index, item in
      Self.accepted(item, index, acceptableTypes, conforms, &warnings)
    }
    items = role == .editor ? Self.replacing(input, with: taken, conforms) : taken
  }

  private static func accepted(
    _ item: ExtensionItem, _ index: Int, _ types: [String]?, _ conforms: (String, String) -> Bool,
    _ warnings: inout [String]
  ) -> ExtensionItem {
    guard let types else { return item }
    var item = item
    item.attachments.removeAll { attachment in
      let isTaken = attachment.registeredTypeIdentifiers.contains { type in types.contains { conforms(type, $0) } }
      if isTaken || attachment.propertyList?[PageResults.finalizeKey] != nil { return false }
      let type = attachment.registeredTypeIdentifiers.first ?? "no type"
      warnings.append(
        "The attachment \(attachment.itemID) of item \(index + 1) (\(type)) was dropped; "
          + "taken is \(types.joined(separator: ", ")).")
      return true
    }
    return item
  }

  private static func replacing(
    _ input: [ExtensionItem], with returned: [ExtensionItem], _ conforms: (String, String) -> Bool
  ) -> [ExtensionItem] {
    var items = input
    for (index, item) in returned.enumerated() {
      guard index < input.count else {
        items.append(item)
        continue
      }
      items[index].attributedTitle = item.attributedTitle ?? items[index].attributedTitle
      items[index].attributedContentText = item.attributedContentText ?? items[index].attributedContentText
      items[index].attachments = replacing(input[index].attachments, with: item.attachments, conforms)
    }
    return items
  }

  private static func replacing(
    _ input: [ItemProvider], with returned: [ItemProvider], _ conforms: (String, String) -> Bool
  ) -> [ItemProvider] {
    var attachments = input
    var open = Array(input.indices)
    for attachment in returned {
      let place = open.firstIndex { index in
        input[index].registeredTypeIdentifiers.contains { old in
          attachment.registeredTypeIdentifiers.contains { conforms($0, old) || conforms(old, $0) }
        }
      }
      if let place {
        attachments[open.remove(at: place)] = attachment
      } else {
        attachments.append(attachment)
      }
    }
    return attachments
  }
}
