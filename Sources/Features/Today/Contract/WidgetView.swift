/// What a widget shows, as a description that the host renders: a title, a text, and rows. No input, no scrolling.
public struct WidgetView: Codable, Sendable, Equatable {
  /// One line of a list.
  public struct Row: Codable, Sendable, Equatable {
    /// `row`, or nothing. A widget has no text input and does not scroll, so that `input` and `scroll` are refused.
    public var kind: String?
    /// What the row is about.
    public var title: String
    /// Beneath or beside the title.
    public var subtitle: String?
    /// At the end of the line, for example a price.
    public var value: String?
    /// Opened in the containing app when the row is chosen.
    public var url: String?
    /// What the widget is told when the row is chosen, in place of a URL: a task that one tap does
    /// (``Today/DidSelectRow``). At most ``longestAction`` of the letters, digits and `-._:/` of ASCII.
    public var action: String?

    /// Makes a plain row; nothing but the title is needed.
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
    private enum CodingKeys: String, CodingKey { case kind }

    let row: Row

    init(from decoder: any Decoder) throws {
      let kind = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(String.self, forKey: .kind)
      if kind == nil || kind == "row" {
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

  /// Makes a view; everything of it may be missing.
  public init(title: String? = nil, text: String? = nil, rows: [Row] = []) {
    self.title = title
    self.text = text
    self.rows = rows
  }

  /// On the wire a view is an object, or a string for a text alone.
  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      self.init(text: text)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      text: try container.decodeIfPresent(String.self, forKey: .text),
      rows: try container.decodeIfPresent([AnyRow].self, forKey: .rows)?.map(\.row) ?? [])
  }
}

extension WidgetView {
  /// Why a host does not show this view, as a sentence; `nil` when it does.
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
  /// What is wrong with its action, as the end of a sentence.
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
