package import ExtensionProtocol
package import JSON

/// A recording that was read: the frames of one extension, in order.
package struct Recording: Sendable {
  /// One message of the recording.
  package struct Frame: Sendable, Equatable {
    /// Whether the host sent the message.
    package var isFromHost: Bool
    /// The message as JSON-RPC has it.
    package var message: JSONValue
  }

  /// The bundle identifier of the extension.
  package let identifier: String
  /// The messages, in the order in which the host saw them.
  package var frames: [Frame]

  /// Reads the frames of one extension.
  ///
  /// - Parameters:
  ///   - text: the output of a ``FrameRecorder``.
  ///   - identifier: the extension; the first of the recording when it is `nil` or does not occur.
  /// - Throws: `invalidParams` with the number of the line.
  package init(parsing text: String, for identifier: String?) throws(ExtensionError) {
    var frames: [String: [Frame]] = [:]
    var first: String?
    // An editor may have ended the lines as on Windows. Other ends of lines are a part of a text.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      let (name, frame) = try Self.read(line, number: index + 1)
      guard let frame else { continue }
      first = first ?? name
      frames[name, default: []].append(frame)
    }
    let chosen = identifier.flatMap { frames[$0] == nil ? nil : $0 } ?? first
    guard let chosen, let frames = frames[chosen] else {
      throw ExtensionError(
        .invalidParams, "The recording is empty.", recovery: "Make one with a FrameRecorder.")
    }
    self.identifier = chosen
    self.frames = frames
  }

  private static func read(_ line: Substring, number: Int) throws(ExtensionError) -> (String, Frame?) {
    func wrong(_ why: String) -> ExtensionError {
      ExtensionError(
        .invalidParams, "Line \(number) is not of a recording: \(why)",
        recovery: "Make one with a FrameRecorder.")
    }
    let value: JSONValue
    do { value = try JSONValue(parsing: String(line)) } catch { throw wrong("\(error)") }
    guard let name = value["extension"]?.stringValue, let direction = value["direction"]?.stringValue,
      direction == "toHost" || direction == "toExtension"
    else { throw wrong("it needs \"extension\", and \"toHost\" or \"toExtension\" as \"direction\".") }
    guard let message = value["frame"] else {
      guard value["text"] != nil else { throw wrong("it has no frame.") }
      return (name, nil)
    }
    return (name, Frame(isFromHost: direction == "toExtension", message: message))
  }
}
