public import Contracts
import ExtensionProtocol
public import ExtensionRuntime

/// One photo that an editor is editing.
public struct PhotoEditingSession: Sendable {
  /// Names the session in the calls between host and editor.
  public let id: String
  /// The photo, and what is known of it.
  public let input: PhotoEditingInput
  /// The way to the host's services.
  public let context: ExtensionContext
  private let placeholder: String
  private var outputDirectory: String?
  /// The uniform type identifiers that the output may have, the default first; empty before the session finishes.
  public private(set) var supportedTypes: [String] = []

  init(_ start: PhotoEditing.StartContentEditing, _ channel: ExtensionSession) {
    id = start.sessionID
    input = start.input
    placeholder = start.placeholder.path
    context = ExtensionContext(requestID: start.sessionID, session: channel)
  }

  func finishing(_ finish: PhotoEditing.FinishContentEditing) -> PhotoEditingSession {
    var session = self
    session.outputDirectory = finish.outputDirectory
    session.supportedTypes = finish.supportedTypes
    return session
  }

  /// The absolute path of the photo to edit: the original when ``PhotoEditingInput/adjustmentData`` is there.
  public var fullSizeImagePath: String { absolute(input.fullSizeImagePath) }
  /// The absolute path of an image of how the photo looks now.
  public var placeholderPath: String { absolute(placeholder) }

  /// The absolute path that the edited photo is written to.
  ///
  /// - Parameter type: one of ``supportedTypes``, for example `public.jpeg`.
  /// - Throws: `invalidParams` when the host does not take that type, or before the session finishes.
  public func outputPath(for type: String) throws -> String { absolute(try relativeOutput(type)) }

  /// Returns an output for the file at ``outputPath(for:)``.
  ///
  /// - Parameters:
  ///   - type: one of ``supportedTypes``, as for ``outputPath(for:)``.
  ///   - adjustmentData: the data with which this edit can be resumed; not that of the input.
  public func output(type: String, adjustmentData: AdjustmentData) throws -> PhotoEditingOutput {
    PhotoEditingOutput(
      renderedContent: .init(path: try relativeOutput(type), type: type), adjustmentData: adjustmentData)
  }

  private func relativeOutput(_ type: String) throws(ExtensionError) -> String {
    guard let outputDirectory, supportedTypes.contains(type) else {
      let types = supportedTypes.isEmpty ? "no output yet" : supportedTypes.joined(separator: ", ")
      throw ExtensionError(.invalidParams, "The host does not take \(type), but \(types).")
    }
    return "\(outputDirectory)/rendered"
  }

  private func absolute(_ path: String) -> String { "\(context.host?.directories.scratch ?? "")/\(path)" }
}
