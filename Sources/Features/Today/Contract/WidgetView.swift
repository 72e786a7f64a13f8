public import JSON
public import JSONSchema

/// The view of a widget as a description that the host renders: a title, a text, and rows. It has no input and no
/// scrolling.
public struct WidgetView: Codable, Sendable, Equatable {
  /// A row of a list.
  public struct Row: Codable, Sendable, Equatable {
    /// `row`, or nothing. A widget has no text input and does not scroll, so that `input` and `scroll` are refused.
    public var kind: String?
    /// The subject of the row.
    public var title: String
    /// Beneath or beside the title.
    public var subtitle: String?
    /// At the end of the line, for example a price.
    public var value: String?
    /// Opened in the containing app when the row is chosen.
    public var url: String?
    /// The action that the widget receives when the user chooses the row, instead of a URL: a task for one tap
    /// (``Today/DidSelectRow``). At most ``longestAction`` ASCII letters, digits and `-._:/`.
    public var action: String?

    /// Creates a plain row; nothing but the title is needed.
    public init(
      title: String, subtitle: String? = nil, value: String? = nil, url: String? = nil, action: String? = nil
    ) {
      self.title = title
      self.subtitle = subtitle
      self.value = value
      self.url = url
      self.action = action
    }

    /// Bytes of an action, at most.
    public static let longestAction = 128
  }

  /// A row as it comes: one of a kind that is refused need not have a title, and only its kind is kept.
  private struct AnyRow: Decodable {
    private enum CodingKeys: String, CodingKey { case kind, title }
    private static let known = ["kind", "title", "subtitle", "value", "url", "action"]

    let row: Row
    let unknownKeys: [String]

    init(from decoder: any Decoder) throws {
      unknownKeys = decoder.unknownKeys(besides: Self.known)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let kind = try container.decodeIfPresent(String.self, forKey: .kind)
      if kind == nil || kind == "row" {
        if !container.contains(.title), let unknown = unknownKeys.first {
          throw DecodingError.keyNotFound(
            CodingKeys.title,
            .init(codingPath: decoder.codingPath, debugDescription: "The row has no title, and an unknown \(unknown)."))
        }
        row = try Row(from: decoder)
      } else {
        var refused = Row(title: "")
        refused.kind = kind
        row = refused
      }
    }
  }

  /// Shown above everything else; `nil` leaves the line out.
  public var title: String?
  /// A few lines of text, beneath the title.
  public var text: String?
  /// Beneath the text, in this order.
  public var rows: [Row]
  /// The keys of the view and of its rows that no view has, each with its place and what may have been meant; a host
  /// warns about them.
  package var unknownKeys: [String] = []

  private enum CodingKeys: String, CodingKey { case title, text, rows }

  /// Creates a view; everything of it may be missing.
  public init(title: String? = nil, text: String? = nil, rows: [Row] = []) {
    self.title = title
    self.text = text
    self.rows = rows
  }

  /// Decodes a view: an object, or a string for a text alone.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let rows = try container.decodeIfPresent([AnyRow].self, forKey: .rows) ?? []
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      text: try container.decodeIfPresent(String.self, forKey: .text), rows: rows.map(\.row))
    unknownKeys = decoder.unknownKeys(besides: ["title", "text", "rows"])
    if let index = rows.firstIndex(where: { !$0.unknownKeys.isEmpty }) {
      unknownKeys += rows[index].unknownKeys.unknownKeys(at: "rows[\(index)].")
    }
  }
}

extension WidgetView {
  /// The reason a host refuses this view, as a sentence; `nil` when it accepts it.
  public var refusal: String? {
    for (index, row) in rows.enumerated() {
      switch row.kind {
      case nil, "row": if let refusal = row.refusal { return "Row \(index + 1) \(refusal)" }
      case "input": return "Row \(index + 1) asks for text input, which a widget may not have."
      case "scroll": return "Row \(index + 1) scrolls, which a widget may not do."
      case .some(let kind): return "Row \(index + 1) is of the kind “\(kind)”, which this host does not know."
      }
    }
    return nil
  }
}

extension WidgetView.Row {
  /// The fault of the row's action, as the end of a sentence.
  fileprivate var refusal: String? {
    guard let action else { return nil }
    guard url == nil else { return "has both a URL and an action; one of them has to go." }
    guard !action.isEmpty, action.utf8.count <= Self.longestAction else {
      return "has an action of \(action.utf8.count) bytes; it has 1 to \(Self.longestAction)."
    }
    let isShort = action.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x2D, 0x2E, 0x2F, 0x3A, 0x5F: true
      default: false
      }
    }
    return isShort ? nil : "has an action with other characters than letters, digits and -._:/ of ASCII."
  }
}

extension WidgetView: ExpressibleByStringInterpolation {
  /// A string alone is a view with that text.
  public init(stringLiteral text: String) { self.init(text: text) }
}

/// A view is a text or an object, which its decoding does not show.
extension WidgetView: SchemaDescribing {
  /// A text, or an object with title, text and rows.
  public static func schema(_ tracer: SchemaTracer) throws -> JSONSchema {
    let rows = JSONSchema.array(of: try tracer.schema(of: Row.self))
    return .any(of: [
      .kind(.string),
      .object([
        .init("title", .kind(.string, .null)), .init("text", .kind(.string, .null)), .init("rows", rows.orNull),
      ]),
    ])
  }
  /// An empty text.
  public static var schemaExample: JSONValue { "" }
}
