package import PropertyList
import Text

/// What a rule sees of one item that a user wants to share or act on (`NSExtensionItem`).
package struct ActivationItem: Sendable, Hashable {
  /// `attributedTitle`, as plain text.
  package var title: String?
  /// `attributedContentText`, as plain text.
  package var contentText: String?
  /// The attachments, in order.
  package var attachments: [ActivationAttachment]
  /// `userInfo`: what predicates may look at besides.
  package var userInfo: [String: PropertyListValue]

  /// Creates an item.
  package init(
    title: String? = nil, contentText: String? = nil, attachments: [ActivationAttachment] = [],
    userInfo: [String: PropertyListValue] = [:]
  ) {
    self.title = title
    self.contentText = contentText
    self.attachments = attachments
    self.userInfo = userInfo
  }
}

/// What a rule sees of one attachment (`NSItemProvider`): its types, never its bytes.
package struct ActivationAttachment: Sendable, Hashable {
  /// Uniform type identifiers, the one of highest fidelity first.
  package var registeredTypeIdentifiers: [String]
  /// For an address: its scheme, when the value is known.
  package var urlScheme: String?
  /// Whether the attachment has a file representation.
  package var isFile: Bool
  /// Whether this is the property list that a web page's preprocessing returned.
  package var isPageResult: Bool

  /// Creates an attachment from its type identifiers.
  package init(
    _ registeredTypeIdentifiers: [String], urlScheme: String? = nil, isFile: Bool = false, isPageResult: Bool = false
  ) {
    self.registeredTypeIdentifiers = registeredTypeIdentifiers
    self.urlScheme = urlScheme
    self.isFile = isFile
    self.isPageResult = isPageResult
  }
}

extension ActivationItem {
  /// Every text of which a predicate may look at the bytes.
  var texts: [ExactText] {
    [title, contentText].compactMap { $0.map { ExactText($0) } }
      + attachments.flatMap(\.registeredTypeIdentifiers).map { ExactText($0) }
      + PropertyListValue.dictionary(userInfo).texts
  }
}

extension PropertyListValue {
  fileprivate var texts: [ExactText] {
    switch self {
    case .string(let text): [ExactText(text)]
    case .array(let elements): elements.flatMap(\.texts)
    case .dictionary(let members): members.sorted { $0.key < $1.key }.flatMap(\.value.texts)
    case .integer, .real, .bool, .date, .data: []
    }
  }
}
