/// Features that a host can have, each with the service that answers its methods.
///
/// Each product with services has a list of its own: `.standard` is that of `HostServices`, `.content` that of
/// `ContentServices`.
public struct HostFeatures: Sendable {
  package let types: [any HostFeature.Type]

  /// A list of some features, in the order in which their services are made.
  package init(_ types: [any HostFeature.Type]) { self.types = types }

  /// All features of several lists.
  package init(_ lists: [HostFeatures]) { types = lists.flatMap(\.types) }
}
