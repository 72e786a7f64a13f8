public import ExtensionProtocol

/// What a user may have begun to write (`autoCompletionViewController`).
extension Share {
  /// One way to go on with the text.
  public struct Completion: Codable, Sendable, Equatable {
    /// What the user chooses by.
    public var title: String
    /// The whole text, once this is chosen.
    public var contentText: String

    public init(title: String, contentText: String) {
      self.title = title
      self.contentText = contentText
    }
  }

  /// `share/completions`, host to extension: how could this text go on? An extension without suggestions need not serve it.
  public struct Completions: RemoteMethod {
    public static let method = "share/completions"

    public struct Result: Codable, Sendable, Equatable {
      /// The likeliest first.
      public var completions: [Completion]
      public init(completions: [Completion]) { self.completions = completions }
    }

    public var requestID: String
    public var contentText: String

    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }
}
