/// An extension point as a type, which the host and its extensions both import: what it is, and what crosses the wire.
///
/// ```swift
/// public enum Renderer: PointContract {
///   public static let definition = ExtensionPointDefinition(
///     ExtensionPoint("org.example.site.renderer"), shortName: "renderer", role: "a renderer", plural: "the renderers",
///     calls: [.request(Render.self)], limits: ExtensionLimits(memoryMiB: 64), reuse: .reuse)
///
///   public struct Render: RemoteMethod {
///     public static let method = "renderer/render"
///     public struct Result: Codable, Sendable { public var html: String }
///     public var page: String
///   }
/// }
/// ```
///
/// The host hands it to `ExtensionHost`, an author names it as the `Point` of a `PointExtension`.
public protocol PointContract: Sendable {
  /// All that there is to know of the point. It has to be the same whenever it is asked for.
  static var definition: ExtensionPointDefinition { get }
}

extension PointContract {
  /// The identifier of the point.
  public static var point: ExtensionPoint { definition.point }
}
