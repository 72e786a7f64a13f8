import ImageFile

/// An error of reading, changing or writing a picture.
package struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The problem, in one sentence.
  package let message: String
  /// The advice to the reader; nil for none.
  package let recovery: String?

  /// Creates an error from a message and advice.
  package init(_ message: String, recovery: String? = nil) {
    self.message = message
    self.recovery = recovery
  }

  /// The message and, if there is one, the recovery.
  package var description: String { recovery.map { "\(message) \($0)" } ?? message }

  /// A file that its library does not read.
  ///
  /// - Parameter detail: the words of the library.
  static func broken(_ format: ImageFormat, _ detail: String) -> ImageError {
    let words = detail.isEmpty ? "" : ": \(detail.prefix(200))"
    return ImageError(
      "The \(format.name) file cannot be read\(words).", recovery: "Save the picture again, or use another file.")
  }

  static func notWritten(_ format: ImageFormat, _ detail: String) -> ImageError {
    let words = detail.isEmpty ? "" : ": \(detail.prefix(200))"
    return ImageError(
      "The picture cannot be written as \(format.name)\(words).", recovery: "Ask for another format or a smaller size.")
  }
}
