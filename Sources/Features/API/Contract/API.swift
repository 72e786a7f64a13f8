public import ExtensionProtocol

/// `api/…`: an extension tells of what the sandbox refused it, and hears what to use in its place.
public enum API: ServiceContract {
  public static let name = "api"
  public static let methods: [any RemoteMethod.Type] = [Report.self]
  public static let access = [
    Allowlist.Row(
      "api/*", nil, nil, "An extension may tell what the sandbox refused it, and hear what to use instead.")
  ]

  /// `api/report`: a symbol that did not work, or that is about to be used.
  public struct Report: RemoteMethod {
    public static let method = "api/report"
    /// Bytes of a symbol.
    public static let symbolLimit = 256

    public struct Result: Codable, Sendable, Equatable {
      /// Whether extensions may use the symbol; `true` also for one that the host does not know.
      public var allowed: Bool
      /// Why not, as a sentence.
      public var reason: String?
      /// What to do instead, as a sentence.
      public var replacement: String?

      public init(allowed: Bool, reason: String? = nil, replacement: String? = nil) {
        self.allowed = allowed
        self.reason = reason
        self.replacement = replacement
      }
    }

    /// The name of a C function, of a library (`libcurl.so.4`), or of a Swift module.
    public var symbol: String

    public init(symbol: String) { self.symbol = symbol }
  }
}
