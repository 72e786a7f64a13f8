/// What a widget shows, as a description that the host renders: a title, a text, and rows. No input, no scrolling.
public struct WidgetView: Codable, Sendable, Equatable {
  /// One line of a list.
  public struct Row: Codable, Sendable, Equatable {
    public var title: String
    /// Beneath or beside the title.
    public var subtitle: String?
    /// At the end of the line, for example a price.
    public var value: String?
    /// Opened in the containing app when the row is chosen.
    public var url: String?

    public init(title: String, subtitle: String? = nil, value: String? = nil, url: String? = nil) {
      self.title = title
      self.subtitle = subtitle
      self.value = value
      self.url = url
    }
  }

  public var title: String?
  public var text: String?
  public var rows: [Row]

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

extension WidgetView: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(text: text) }
}
