internal import CLinux
internal import Files
internal import Glibc

/// Copies what is uploaded, so that later changes of the file change nothing. Blocks.
enum SourceCopy {
  /// - Parameters:
  ///   - source: open for reading; its position is neither used nor moved.
  ///   - target: an empty file, open for writing.
  ///   - limit: the most bytes.
  /// - Returns: how many bytes were copied, all of them on the disk.
  static func copy(_ source: Int32, to target: Int32, limit: Int64) -> Result<Int64, TransferError> {
    var status = stat()
    guard unsafe fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(.source("What is uploaded is not a regular file.", recovery: "Name a file."))
    }
    guard status.st_size <= limit else {
      return .failure(.quota("The file has more than \(limit) bytes.", limit: Int(clamping: limit)))
    }
    let copied = clinux_copy_file(source, target, limit)
    guard copied >= 0 else {
      let error = SystemError(Int32(clamping: -copied))
      if error.number == EFBIG {
        return .failure(.quota("The file has more than \(limit) bytes.", limit: Int(clamping: limit)))
      }
      return .failure(
        .source("What is uploaded cannot be copied: \(error).", recovery: "Free space on the disk, and try again."))
    }
    guard fdatasync(target) == 0 else {
      return .failure(
        .source(
          "What is uploaded cannot be copied: \(SystemError.last).",
          recovery: "Try again; \"dmesg\" shows errors of the disk."))
    }
    return .success(copied)
  }
}
