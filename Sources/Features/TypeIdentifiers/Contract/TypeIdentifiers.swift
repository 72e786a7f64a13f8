public import ExtensionProtocol

/// `uti/…`: what the host knows of uniform type identifiers, those that manifests declare included.
public enum TypeIdentifiers: ServiceContract {
  public static let name = "uti"
  public static let methods: [any RemoteMethod.Type] = [Conforms.self]
  public static let access = [
    Allowlist.Row("uti/*", nil, nil, "Types and what they conform to are no secret.")
  ]

  /// `uti/conforms`: whether a type is another one or conforms to it.
  public struct Conforms: RemoteMethod {
    public static let method = "uti/conforms"

    public struct Result: Codable, Sendable, Equatable {
      public var value: Bool
      public init(value: Bool) { self.value = value }
    }

    public var type: String
    public var to: String

    public init(type: String, to: String) {
      self.type = type
      self.to = to
    }
  }
}
