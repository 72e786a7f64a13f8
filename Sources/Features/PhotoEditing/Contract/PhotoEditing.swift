public import ExtensionProtocol

/// `photo/…`: a session of a Photo Editing extension. The methods are those of `PHContentEditingController`.
///
/// Paths are relative to the scratch directory.
public enum PhotoEditing: ServiceContract {
  /// The prefix of the methods.
  public static let name = "photo"
  /// None: a Photo Editing extension has no methods of its own.
  public static let methods: [any RemoteMethod.Type] = []

  /// `photo/canHandleAdjustmentData`, host to extension: can you take up the edit that this describes? Comes before
  /// ``StartContentEditing``, when the photo has been edited before.
  public struct CanHandleAdjustmentData: RemoteMethod {
    /// The wire name; the host calls it. An extension that does not serve it can take no edit up.
    public static let method = "photo/canHandleAdjustmentData"

    /// Whether the session begins with the original photo.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether the edit can be taken up.
      public var canHandle: Bool

      /// Answers with yes or no; no is always safe.
      public init(canHandle: Bool) { self.canHandle = canHandle }
    }

    /// The identifier of the data's format, in reverse-DNS style, by which an editor recognises its own.
    public var formatIdentifier: String
    /// The version of that format.
    public var formatVersion: String
    /// Base64.
    public var data: String

    /// Creates the params from the data of the photo's last edit.
    public init(_ adjustmentData: AdjustmentData) {
      formatIdentifier = adjustmentData.formatIdentifier
      formatVersion = adjustmentData.formatVersion
      data = adjustmentData.data
    }

    /// The three members as one value.
    public var adjustmentData: AdjustmentData {
      AdjustmentData(formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: data)
    }
  }

  /// `photo/startContentEditing`, host to extension: the photo to edit.
  public struct StartContentEditing: RemoteMethod {
    /// Empty: the photo is being edited.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "photo/startContentEditing"

    /// An image of how the photo looks now, earlier edits included; for the time until the editor shows its own.
    public struct Placeholder: Codable, Sendable, Equatable {
      /// Relative to the scratch directory.
      public var path: String

      /// Names an image by its path relative to the scratch directory.
      public init(path: String) { self.path = path }
    }

    /// New for each session; the other calls name it.
    public var sessionID: String
    /// The photo, and what is known of it.
    public var input: PhotoEditingInput
    /// The current look of the photo.
    public var placeholder: Placeholder

    /// Begins a session; the placeholder shows the photo as it looks now, whatever the input is.
    public init(sessionID: String, input: PhotoEditingInput, placeholder: Placeholder) {
      self.sessionID = sessionID
      self.input = input
      self.placeholder = placeholder
    }
  }

  /// `photo/shouldShowCancelConfirmation`, host to extension: would cancelling now lose work?
  public struct ShouldShowCancelConfirmation: RemoteMethod {
    /// The wire name; the host calls it. An extension that does not serve it loses no work.
    public static let method = "photo/shouldShowCancelConfirmation"

    /// Whether the user is to be asked.
    public struct Result: Codable, Sendable, Equatable {
      /// Whether cancelling now would lose work.
      public var show: Bool

      /// Answers with yes or no; yes has the user asked.
      public init(show: Bool) { self.show = show }
    }

    /// The session of ``StartContentEditing``.
    public var sessionID: String

    /// Asks about an open session.
    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `photo/finishContentEditing`, host to extension: write the edited photo into a directory.
  public struct FinishContentEditing: RemoteMethod {
    /// The wire name; the host calls it. The user may cancel while it runs.
    public static let method = "photo/finishContentEditing"
    /// Two minutes, whatever signs of work there are.
    public static let deadline = RequestDeadline(hard: .seconds(120))

    /// The editor's output.
    public struct Result: Codable, Sendable, Equatable {
      /// `nil` saves nothing.
      public var output: PhotoEditingOutput?

      /// Creates an answer; `nil` when there is nothing to save.
      public init(output: PhotoEditingOutput?) { self.output = output }

      /// Decodes an answer; `null` and nothing at all both save nothing.
      public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        output = try container.decodeIfPresent(PhotoEditingOutput.self, forKey: .output)
      }

      /// `null` is written: that nothing is to be saved is an answer.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(output, forKey: .output)
      }

      enum CodingKeys: String, CodingKey { case output }
    }

    /// The session of ``StartContentEditing``.
    public var sessionID: String
    /// An empty directory below the scratch directory; the edited photo has to be in it.
    public var outputDirectory: String
    /// The uniform type identifiers that the output may have, the default first.
    public var supportedTypes: [String]

    /// Creates the params.
    ///
    /// - Parameter supportedTypes: uniform type identifiers, the default first; an output of another type is refused.
    public init(sessionID: String, outputDirectory: String, supportedTypes: [String]) {
      self.sessionID = sessionID
      self.outputDirectory = outputDirectory
      self.supportedTypes = supportedTypes
    }
  }

  /// `photo/outputConsumed`, host to extension: the output has been taken or refused, its files can go.
  public struct OutputConsumed: RemoteNotification {
    /// The wire name; the host sends it.
    public static let method = "photo/outputConsumed"

    /// The session of ``StartContentEditing``; it ends with this.
    public var sessionID: String
    /// Whether the photo was saved.
    public var saved: Bool
    /// The reason the output was not saved, as one sentence; `nil` when it was.
    public var error: String?

    /// Creates the params; an error is there only for a photo that was not saved.
    public init(sessionID: String, saved: Bool, error: String? = nil) {
      self.sessionID = sessionID
      self.saved = saved
      self.error = error
    }
  }

  /// `photo/cancelContentEditing`, host to extension: forget the session. It wins over a finish that runs.
  public struct CancelContentEditing: RemoteMethod {
    /// Empty: the session has ended.
    public typealias Result = Empty
    /// The wire name; the host calls it.
    public static let method = "photo/cancelContentEditing"

    /// The session of ``StartContentEditing``.
    public var sessionID: String

    /// Ends an open session without a photo.
    public init(sessionID: String) { self.sessionID = sessionID }
  }
}
