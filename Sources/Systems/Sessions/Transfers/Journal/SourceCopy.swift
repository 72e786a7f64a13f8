internal import CLinux
internal import Files
internal import Glibc

/// Copies what is uploaded, so that later changes of the file change nothing. Blocks.
enum SourceCopy {
  /// What stays free on a disk, at most: the user's other programs need it.
  private static let reserve: Int64 = 64 << 20

  /// The size of what is uploaded, in bytes.
  static func size(of source: Int32) -> Result<Int64, TransferError> {
    var status = stat()
    guard unsafe fstat(source, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(.source("What is uploaded is not a regular file.", recovery: "Name a file."))
    }
    return .success(Int64(status.st_size))
  }

  /// Whether so many bytes are the same in both files, and neither has fewer.
  static func isEqual(_ source: Int32, _ other: Int32, size: Int64) -> Bool {
    let chunk = 1 << 18
    var (first, second) = ([UInt8](repeating: 0, count: chunk), [UInt8](repeating: 0, count: chunk))
    var offset: Int64 = 0
    while offset < size {
      let wanted = Int(min(Int64(chunk), size - offset))
      guard fill(&first, wanted, source, offset), fill(&second, wanted, other, offset),
        first[..<wanted] == second[..<wanted]
      else { return false }
      offset += Int64(wanted)
    }
    return true
  }

  private static func fill(_ bytes: inout [UInt8], _ count: Int, _ file: Int32, _ offset: Int64) -> Bool {
    var filled = 0
    while filled < count {
      let got = unsafe bytes.withUnsafeMutableBytes { space in
        unsafe pread(file, space.baseAddress?.advanced(by: filled), count - filled, off_t(offset) + off_t(filled))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      filled += got
    }
    return true
  }

  /// Whether a disk has room for a file, and a rest for others.
  private static func hasRoom(for size: Int64, on target: Int32) -> Bool {
    var disk = statvfs()
    guard unsafe fstatvfs(target, &disk) == 0 else { return true }
    let block = Int64(clamping: disk.f_frsize)
    let (free, all) = (Int64(clamping: disk.f_bavail) &* block, Int64(clamping: disk.f_blocks) &* block)
    return size <= free - min(reserve, all / 20)
  }

  /// - Parameters:
  ///   - source: open for reading; its position is neither used nor moved.
  ///   - target: an empty file, open for writing.
  ///   - limit: the most bytes.
  /// - Returns: how many bytes were copied, all of them on the disk.
  static func copy(_ source: Int32, to target: Int32, limit: Int64) -> Result<Int64, TransferError> {
    switch size(of: source) {
    case .failure(let error): return .failure(error)
    case .success(let size):
      guard size <= limit else {
        return .failure(.quota("The file has more than \(limit) bytes.", limit: Int(clamping: limit)))
      }
      guard hasRoom(for: size, on: target) else {
        return .failure(
          .source(
            "What is uploaded cannot be copied: the disk has no room for \(size) bytes more.",
            recovery: "Free space on the disk, and try again."))
      }
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
