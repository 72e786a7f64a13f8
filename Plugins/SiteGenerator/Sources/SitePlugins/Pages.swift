public import ExtensionProtocol

/// `pages/…`: what renderers may ask of the site.
public enum Pages: ServiceContract {
  /// The prefix of the method.
  public static let name = "pages"
  /// The one method.
  public static let methods: [any RemoteMethod.Type] = [Titles.self]

  /// `pages/titles`: the pages of the site.
  public struct Titles: RemoteMethod {
    /// The wire name; renderers call it.
    public static let method = "pages/titles"

    /// The pages.
    public struct Result: Codable, Sendable {
      /// The titles, by the names of the files that are made.
      public var titles: [String: String]
      /// Makes a result.
      public init(titles: [String: String]) { self.titles = titles }
    }

    /// Asks for all pages.
    public init() {}
  }
}
