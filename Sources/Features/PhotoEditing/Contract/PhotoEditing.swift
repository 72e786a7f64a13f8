public import ExtensionProtocol

/// `photo/…`: a session of a Photo Editing extension. The methods are those of `PHContentEditingController`.
///
/// Paths are relative to the scratch directory.
public enum PhotoEditing: ServiceContract {
  public static let name = "photo"
  public static let methods: [any RemoteMethod.Type] = []

  /// `photo/canHandleAdjustmentData`, host to extension: can you take up the edit that this describes? Comes before
  /// ``StartContentEditing``, when the photo has been edited before.
  public struct CanHandleAdjustmentData: RemoteMethod {
    public static let method = "photo/canHandleAdjustmentData"

    public struct Result: Codable, Sendable, Equatable {
      public var canHandle: Bool

      public init(canHandle: Bool) { self.canHandle = canHandle }
    }

    public var formatIdentifier: String
    public var formatVersion: String
    /// Base64.
    public var data: String

    public init(_ adjustmentData: AdjustmentData) {
      formatIdentifier = adjustmentData.formatIdentifier
      formatVersion = adjustmentData.formatVersion
      data = adjustmentData.data
    }

    public var adjustmentData: AdjustmentData {
      AdjustmentData(formatIdentifier: formatIdentifier, formatVersion: formatVersion, data: data)
    }
  }

  /// `photo/startContentEditing`, host to extension: the photo to edit.
  public struct StartContentEditing: RemoteMethod {
    public typealias Result = Empty
    public static let method = "photo/startContentEditing"

    /// An image of how the photo looks now, earlier edits included; for the time until the editor shows its own.
    public struct Placeholder: Codable, Sendable, Equatable {
      public var path: String

      public init(path: String) { self.path = path }
    }

    public var sessionID: String
    public var input: PhotoEditingInput
    public var placeholder: Placeholder

    public init(sessionID: String, input: PhotoEditingInput, placeholder: Placeholder) {
      self.sessionID = sessionID
      self.input = input
      self.placeholder = placeholder
    }
  }

  /// `photo/shouldShowCancelConfirmation`, host to extension: would cancelling now lose work?
  public struct ShouldShowCancelConfirmation: RemoteMethod {
    public static let method = "photo/shouldShowCancelConfirmation"

    public struct Result: Codable, Sendable, Equatable {
      public var show: Bool

      public init(show: Bool) { self.show = show }
    }

    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }

  /// `photo/finishContentEditing`, host to extension: write the edited photo into a directory.
  public struct FinishContentEditing: RemoteMethod {
    public static let method = "photo/finishContentEditing"
    public static let deadline = RequestDeadline(hard: .seconds(120))

    public struct Result: Codable, Sendable, Equatable {
      /// `nil` saves nothing.
      public var output: PhotoEditingOutput?

      public init(output: PhotoEditingOutput?) { self.output = output }

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

    public var sessionID: String
    public var outputDirectory: String
    /// The uniform type identifiers that the output may have, the default first.
    public var supportedTypes: [String]

    public init(sessionID: String, outputDirectory: String, supportedTypes: [String]) {
      self.sessionID = sessionID
      self.outputDirectory = outputDirectory
      self.supportedTypes = supportedTypes
    }
  }

  /// `photo/outputConsumed`, host to extension: the output has been taken or refused, its files can go.
  public struct OutputConsumed: RemoteNotification {
    public static let method = "photo/outputConsumed"

    public var sessionID: String
    public var saved: Bool
    /// Why it was not saved, one sentence.
    public var error: String?

    public init(sessionID: String, saved: Bool, error: String? = nil) {
      self.sessionID = sessionID
      self.saved = saved
      self.error = error
    }
  }

  /// `photo/cancelContentEditing`, host to extension: forget the session. It wins over a finish that runs.
  public struct CancelContentEditing: RemoteMethod {
    public typealias Result = Empty
    public static let method = "photo/cancelContentEditing"

    public var sessionID: String

    public init(sessionID: String) { self.sessionID = sessionID }
  }
}
