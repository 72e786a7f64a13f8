import JSONRPC
import Synchronization

/// A multi-line text, whose forms are made when somebody asks for them.
final class TextValue: Sendable {
  /// The paths of links and references in it, in order, once each.
  let references: [String]
  private let source: JSONValue
  private let forms = Mutex<[TextFormat: JSONValue]>([:])

  init(_ source: JSONValue, as format: TextFormat) {
    self.source = source
    references = []
  }

  /// The text in one of its four forms.
  func form(_ format: TextFormat) -> JSONValue { source }
}
