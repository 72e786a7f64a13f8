import JSON
import MultiLineText
import Synchronization

/// A multi-line text. Each of its forms is made on the first use.
final class TextValue: Sendable {
  /// The paths of links and references in it, in order, once each.
  let references: [String]
  private let text: MultiLineText
  private let forms = Mutex<[TextFormat: JSONValue]>([:])

  /// - Throws: what cannot be read.
  init(_ source: JSONValue, as format: TextFormat) throws(MultiLineTextError) {
    let plain = source.stringValue ?? ""
    text =
      switch format {
      case .html: try MultiLineText(html: plain)
      case .markdown: try MultiLineText(markdown: plain)
      case .plaintext: MultiLineText(plaintext: plain)
      case .json: try MultiLineText(json: source)
      }
    references = text.references
  }

  /// The text in one of its four forms.
  func form(_ format: TextFormat) -> JSONValue {
    if let form = forms.withLock({ $0[format] }) { return form }
    let form: JSONValue =
      switch format {
      case .html: .string(text.html)
      case .markdown: .string(text.markdown)
      case .plaintext: .string(text.plaintext)
      case .json: text.json
      }
    forms.withLock { $0[format] = form }
    return form
  }
}
