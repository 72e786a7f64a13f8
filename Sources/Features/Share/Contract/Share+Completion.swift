public import ExtensionProtocol

/// What a user may have begun to write (`autoCompletionViewController`).
extension Share {
  /// One way to go on with the text.
  public struct Completion: Codable, Sendable, Equatable {
    /// What the user chooses by.
    public var title: String
    /// The whole text, once this is chosen.
    public var contentText: String

    /// Makes one way to go on.
    public init(title: String, contentText: String) {
      self.title = title
      self.contentText = contentText
    }
  }

  /// `share/completions`, host to extension: how could this text go on? An extension without suggestions need not serve it.
  public struct Completions: RemoteMethod {
    /// The wire name; the host calls it. At most 20 answers are used.
    public static let method = "share/completions"

    /// What the user is offered.
    public struct Result: Codable, Sendable, Equatable {
      /// The likeliest first.
      public var completions: [Completion]
      /// Makes an answer; no ways to go on is an answer.
      public init(completions: [Completion]) { self.completions = completions }
    }

    /// The request of the sheet.
    public var requestID: String
    /// The text so far.
    public var contentText: String

    /// Asks how a text of the open sheet could go on.
    public init(requestID: String, contentText: String) {
      self.requestID = requestID
      self.contentText = contentText
    }
  }
}
