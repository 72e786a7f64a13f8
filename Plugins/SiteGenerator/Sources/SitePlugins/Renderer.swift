import Contracts
public import ExtensionProtocol

/// `org.example.site.renderer`: makes HTML of the pages of a site. The host and the renderers both import this.
public enum Renderer: PointContract {
  /// All that there is to know of the point.
  public static let definition = ExtensionPointDefinition(
    ExtensionPoint("org.example.site.renderer"), version: PointVersion(1, 1), shortName: "renderer",
    role: "a renderer", plural: "the renderers",
    calls: [
      .request(Render.self),
      .request(
        RenderLarge.self, since: PointVersion(1, 1), isOptional: true,
        transfers: [.fileIn("path"), .streamOut("stream")]),
      .notification(SiteDidChange.self),
    ],
    services: [Content.self, Pages.self, Network.self], permissions: ["network"],
    limits: ExtensionLimits(memoryMiB: 64),
    reuse: .reuse, manifest: ManifestRules(keys: [ManifestKey(fileExtensions, .strings).required()]))

  /// The key of a manifest that says which pages a renderer is for.
  public static let fileExtensions = "SiteFileExtensions"

  /// `renderer/render`: the HTML of a page.
  public struct Render: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "renderer/render"

    /// The page as HTML.
    public struct Result: Codable, Sendable {
      /// What stands between the tags of the body.
      public var html: String
      /// Makes a result.
      public init(html: String) { self.html = html }
    }

    /// The file name of the page.
    public var name: String
    /// The whole page.
    public var text: String

    /// Asks for the HTML of a page.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// `renderer/renderLarge`: the HTML of a page that is too large for one message, as a stream.
  public struct RenderLarge: RemoteMethod {
    /// The wire name; the host calls it.
    public static let method = "renderer/renderLarge"

    /// Where the HTML comes.
    public struct Result: Codable, Sendable {
      /// The identifier of the stream.
      public var stream: String
      /// Makes a result.
      public init(stream: String) { self.stream = stream }
    }

    /// The file name of the page.
    public var name: String
    /// The file with the page, in the scratch directory.
    public var path: String

    /// Asks for the HTML of a page in a file.
    public init(name: String, path: String) {
      self.name = name
      self.path = path
    }
  }

  /// `renderer/siteDidChange`: pages have come or gone.
  public struct SiteDidChange: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "renderer/siteDidChange"
    /// Makes the notification.
    public init() {}
  }
}
