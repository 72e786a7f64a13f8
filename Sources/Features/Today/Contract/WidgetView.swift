/// What a widget shows, as a description that the host renders: a title, a text, and rows. No input, no scrolling.
public struct WidgetView: Codable, Sendable, Equatable {
  /// One line of a list.
  public struct Row: Codable, Sendable, Equatable {
    /// What the row is about.
    public var title: String
    /// Beneath or beside the title.
    public var subtitle: String?
    /// At the end of the line, for example a price.
    public var value: String?
    /// Opened in the containing app when the row is chosen.
    public var url: String?
    /// `row`, or nothing. A widget has no text input and does not scroll, so that `input` and `scroll` are refused.
    public var kind: String?

    /// Makes a plain row; nothing but the title is needed.
    public init(title: String, subtitle: String? = nil, value: String? = nil, url: String? = nil) {
      self.title = title
      self.subtitle = subtitle
      self.value = value
      self.url = url
    }

    enum CodingKeys: String, CodingKey { case title, subtitle, value, url, kind }

    /// A row of another kind need not have a title: it is refused for its kind.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let kind = try container.decodeIfPresent(String.self, forKey: .kind)
      let isPlain = kind == nil || kind == "row"
      self.init(
        title: isPlain
          ? try container.decode(String.self, forKey: .title)
          : try container.decodeIfPresent(String.self, forKey: .title) ?? "",
        subtitle: try container.decodeIfPresent(String.self, forKey: .subtitle),
        value: try container.decodeIfPresent(String.self, forKey: .value),
        url: try container.decodeIfPresent(String.self, forKey: .url))
      self.kind = kind
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

  enum CodingKeys: String, CodingKey { case title, text, rows }

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
      rows: try container.decodeIfPresent([Row].self, forKey: .rows) ?? [])
  }
}

extension WidgetView {
  /// Why a host does not show this view, as a sentence; `nil` when it does.
  public var refusal: String? {
    for (index, row) in rows.enumerated() {
      switch row.kind {
      case nil, "row": continue
      case "input": return "Row \(index + 1) asks for text input, which a widget may not have."
      case "scroll": return "Row \(index + 1) scrolls, which a widget may not do."
      case .some(let kind): return "Row \(index + 1) is of the kind “\(kind)”, which this host does not know."
      }
    }
    return nil
  }
}

extension WidgetView: ExpressibleByStringInterpolation {
  /// A string alone is a view with that text.
  public init(stringLiteral text: String) { self.init(text: text) }
}
