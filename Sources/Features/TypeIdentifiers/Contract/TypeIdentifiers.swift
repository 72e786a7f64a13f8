public import ExtensionProtocol

/// `uti/…`: what the host knows of uniform type identifiers, those that manifests declare included.
public enum TypeIdentifiers: ServiceContract {
  /// The prefix of the method.
  public static let name = "uti"
  /// Open to every extension point.
  public static let methods: [any RemoteMethod.Type] = [Conforms.self]
  /// Every extension point.
  public static let access = [
    Allowlist.Row("uti/*", nil, nil, "Types and what they conform to are not secret.")
  ]

  /// `uti/conforms`: whether a type is another one or conforms to it.
  public struct Conforms: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "uti/conforms"

    /// Whether the one conforms to the other.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the type conforms to the other; a type conforms to itself.
      public var value: Bool
      /// Creates an answer; an undeclared type is not an error.
      public init(value: Bool) { self.value = value }
    }

    /// The type in question, for example `public.jpeg`.
    public var type: String
    /// The type to conform to, for example `public.image`.
    public var to: String

    /// Asks whether `type` is `to` or conforms to it, at any distance.
    public init(type: String, to: String) {
      self.type = type
      self.to = to
    }
  }
}
