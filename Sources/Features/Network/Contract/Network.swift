public import ExtensionProtocol

/// `network/…`: requests that the host sends for an extension, to servers that its manifest names.
public enum Network: ServiceContract {
  /// The prefix of the method, and the permission that the user has to grant.
  public static let name = "network"
  /// Open to every extension point with the permission `network`; a keyboard needs open access too.
  public static let methods: [any RemoteMethod.Type] = [Fetch.self]
  /// Every extension point, with the permission `network`.
  public static let access = [
    Allowlist.Row(
      "network/*", nil, nil, permissions: ["network"],
      "The host sends the request, to a server that Annex.Network names; the user has to agree.")
  ]

  /// How the body of an answer reaches the extension.
  public enum Delivery: String, Codable, Sendable, CaseIterable {
    /// In the answer; at most ``Network/inlineLimit`` bytes.
    case inline
    /// As a file in the scratch directory; at most ``Network/fileLimit`` bytes.
    case file
    /// As a stream, while it arrives; at most ``Network/streamLimit`` bytes. The answer comes as soon as its header is
    /// there. Dropping the stream ends the request; an error ends it when the body cannot be whole.
    case stream
  }

  /// A body: one of its members is there.
  public struct Body: Codable, Sendable, Equatable {
    /// Text, sent as UTF-8.
    public var text: String?
    /// Bytes, as base64.
    public var base64: String?
    /// A file of the scratch directory, by its path relative to it.
    public var file: String?
    /// In an answer only: the `streamID` of the host's stream.
    public var stream: String?

    /// Creates a body of one kind; the other members stay `nil`.
    public init(text: String? = nil, base64: String? = nil, file: String? = nil, stream: String? = nil) {
      self.text = text
      self.base64 = base64
      self.file = file
      self.stream = stream
    }
  }

  /// The most bytes of a body that travels in a message.
  public static let inlineLimit = 256 << 10
  /// The most bytes of an answer when nothing else is said.
  public static let standardLimit = 10 << 20
  /// The most bytes of a body in a file.
  public static let fileLimit = 64 << 20
  /// The most bytes of a body in a stream.
  public static let streamLimit = 1 << 30
}

extension Network {
  /// `network/fetch`: sends one request, follows its redirects, and answers with whatever the server answers.
  public struct Fetch: RemoteMethod {
    /// The wire name; extensions call it.
    public static let method = "network/fetch"

    /// The server's answer; its body may still be on the way.
    public struct Result: Codable, Sendable, Equatable {
      /// Every status is an answer, 404 and 500 too.
      @NonNegative<Int> public var status: Int
      /// The header fields by name in lower case; several fields of one name are joined by commas.
      public var headers: [String: String]
      /// The URL that answered: another than was asked for after a redirect.
      public var finalURL: String
      /// The decompressed body: text when it is UTF-8, otherwise base64; or the file; or the stream.
      public var body: Body
      /// The length of the body in bytes; absent while it has not arrived.
      @NonNegative<Int?> public var bytes: Int?

      /// Creates an answer.
      ///
      /// - Parameters:
      ///   - headers: by name in lower case.
      ///   - bytes: the body's length; `nil` for a stream.
      public init(status: Int, headers: [String: String], finalURL: String, body: Body, bytes: Int? = nil) {
        self.status = status
        self.headers = headers
        self.finalURL = finalURL
        self.body = body
        self.bytes = bytes
      }
    }

    /// The user's request that this is for, and that it ends with.
    public var requestID: String?
    /// `http` or `https`, without a user name. A server that the manifest does not name is refused with
    /// `permissionDenied`.
    public var url: String
    /// `GET` when absent; `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
    public var method: String?
    /// At most 64 fields and 32 KiB together. Fields that are the connection's or the host's own, such as `Host` and
    /// `Cookie`, are refused with `invalidParams`.
    public var headers: [String: String]?
    /// The body: text, base64 or a file; `nil` sends none.
    public var body: Body?
    /// Milliseconds for the whole exchange, redirects included; at most, and when absent, ``longestTimeoutMs``, and
    /// ``longestStreamMs`` for a stream, whose header has to come within ``longestTimeoutMs`` all the same.
    @Exact<Int?> public var timeoutMs: Int?
    /// The most bytes of the answer's body.
    @Exact<Int?> public var maxBytes: Int?
    /// `inline` when absent.
    public var delivery: Delivery?

    /// Just under the 30 s that a host gives a service.
    public static let longestTimeoutMs = 29_000
    /// Ten minutes.
    public static let longestStreamMs = 600_000

    /// Creates the params.
    ///
    /// - Parameters:
    ///   - timeoutMs: milliseconds; `nil` for the host's own limit.
    ///   - maxBytes: `nil` for ``Network/standardLimit``, or for what the delivery allows when that is less.
    ///   - requestID: the request that the fetch ends with; `nil` for one that ends by itself.
    public init(
      url: String, method: String? = nil, headers: [String: String]? = nil, body: Body? = nil, timeoutMs: Int? = nil,
      maxBytes: Int? = nil, delivery: Delivery? = nil, requestID: String? = nil
    ) {
      self.url = url
      self.method = method
      self.headers = headers
      self.body = body
      self.timeoutMs = timeoutMs
      self.maxBytes = maxBytes
      self.delivery = delivery
      self.requestID = requestID
    }
  }
}
