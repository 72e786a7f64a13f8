public import ExtensionProtocol

/// `api/…`: an extension reports a refusal of the sandbox and receives the alternative.
public enum API: ServiceContract {
  /// The prefix of the method.
  public static let name = "api"
  /// Open to every extension point.
  public static let methods: [any RemoteMethod.Type] = [Report.self]
  /// Every extension point.
  public static let access = [
    Allowlist.Row(
      "api/*", nil, nil, "An extension may tell what the sandbox refused it, and hear what to use instead.")
  ]

  /// `api/report`: a symbol that did not work, or that is about to be used.
  public struct Report: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "api/report"
    /// Bytes of a symbol.
    public static let symbolLimit = 256

    /// Whether the symbol may be used, and what else there is.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether extensions may use the symbol; `true` also for one that the host does not know.
      public var allowed: Bool
      /// The reason for the refusal, as a sentence.
      public var reason: String?
      /// The alternative, as a sentence.
      public var replacement: String?

      /// Creates an answer. An answer that allows the symbol needs no reason.
      public init(allowed: Bool, reason: String? = nil, replacement: String? = nil) {
        self.allowed = allowed
        self.reason = reason
        self.replacement = replacement
      }
    }

    /// The name of a C function, of a library (`libcurl.so.4`), or of a Swift module.
    public var symbol: String

    /// Creates the params.
    ///
    /// - Parameter symbol: 1 to ``symbolLimit`` bytes of UTF-8; the host refuses anything else with `invalidParams`.
    public init(symbol: String) { self.symbol = symbol }
  }
}
