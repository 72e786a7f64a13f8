package import ImageFile
internal import CLinux
internal import Files
internal import Glibc

/// A picture of AEM.
package struct ContentImage: Equatable, Sendable {
  /// The file, at most `Limits.maximumImageBytes`.
  package var bytes: [UInt8]
  /// The format, found from the bytes and not from the type that the server sent.
  package var format: ImageFormat
  /// The cache or the server, whichever supplied the picture.
  package var source: ContentSource
  /// The seconds since the picture left its server.
  package var ageSeconds: Int
  /// The reason, as one sentence, for an older picture in place of the server's; nil for a picture that is valid.
  package var staleReason: String?

  /// The MIME type of the format.
  package var mimeType: String { format.mimeType }

  /// Writes the picture to a file, whole or not at all; an older file is replaced.
  ///
  /// - Throws: `notWritten`.
  package func write(to path: String) throws(ContentError) {
    do throws(FileError) { try File.replace(path, with: bytes) } catch {
      throw ContentError(
        .notWritten, "The picture cannot be written: \(error.message)",
        recovery: "Check the folder and the space on its disk.")
    }
  }

  /// Writes the picture to a file that is open, from its present place on. The descriptor stays open.
  ///
  /// - Throws: `notWritten`; a part may have been written.
  package func write(to descriptor: Int32) throws(ContentError) {
    guard unsafe clinux_write_all(descriptor, bytes, bytes.count) != 0 else { return }
    throw ContentError(
      .notWritten, "The picture cannot be written: \(SystemError.last).",
      recovery: "Check the file and the space on its disk.")
  }
}

/// A picture as the server sent it.
struct ReceivedImage: Sendable {
  let bytes: [UInt8]
  let format: ImageFormat
}
