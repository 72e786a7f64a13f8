public import ExtensionProtocol

/// Completions of a text that the user has begun (`autoCompletionViewController`).
extension Share {
  /// One completion of the text.
  public struct Completion: Codable, Sendable, Equatable {
    /// The text by which the user chooses.
    public var title: String
    /// The whole text, once this is chosen.
    public var contentText: String

    /// Creates a completion.
    public init(title: String, contentText: String) {
      self.title = title
      self.contentText = contentText
    }
  }

  /// `share/completions`, host to extension: returns completions of a text. An extension without suggestions need not
  /// serve it.
  public struct Completions: RemoteMethod {
    /// The wire name; the host calls it. At most 20 answers are used.
    public static let method = "share/completions"

    /// The offered completions.
    public struct Result: Codable, Sendable, Equatable {
      /// The likeliest first.
      public var completions: [Completion]
      /// Creates an answer; the list may be empty.
      public init(completions: [Completion]) { self.completions = completions }
    }

    /// The request of the sheet.
    public var requestID: String
    /// The text so far.
    public var contentText: String

    /// Creates the params with the text of the open sheet.
    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }
}
