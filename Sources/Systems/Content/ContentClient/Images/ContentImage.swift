package import ImageFile
internal import CLinux
internal import Files
internal import Glibc

/// A picture of AEM.
package struct ContentImage: Equatable, Sendable {
  package var bytes: [UInt8]
  /// By the bytes.
  package var format: ImageFormat
  package var source: ContentSource
  /// Seconds since the picture left its server.
  package var ageSeconds: Int
  /// Why an older picture stands in for that of the server, one sentence; nil when none does.
  package var staleReason: String?

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

/// A picture as it came.
struct ReceivedImage: Sendable {
  let bytes: [UInt8]
  let format: ImageFormat
}
