import CLinux
import Glibc

/// The device, inode, size and times of a manifest's file: while they stay the same, so do its contents.
struct ManifestStamp: Sendable, Hashable {
  /// How many numbers a stamp has.
  static let size = 7

  /// Device, inode, size, and when contents and inode were changed, each in seconds and nanoseconds.
  let numbers: [Int64]

  /// - Parameter numbers: ``size`` of them, as another stamp had them.
  init(numbers: [Int64]) { self.numbers = numbers }

  /// Follows links.
  ///
  /// - Returns: `nil` when there is no such file, or it is not a regular one.
  init?(_ path: String) {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    numbers = [
      Int64(bitPattern: UInt64(info.st_dev)), Int64(bitPattern: UInt64(info.st_ino)), Int64(info.st_size),
      Int64(info.st_mtim.tv_sec), Int64(info.st_mtim.tv_nsec), Int64(info.st_ctim.tv_sec),
      Int64(info.st_ctim.tv_nsec),
    ]
  }

  /// Whether a later change must show in another stamp.
  ///
  /// File systems count time in ticks of some milliseconds, some of them in seconds: a file that was changed twice in one
  /// tick has the same stamp twice.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Duration.seconds(Int64(now.tv_sec) - numbers[5]) + .nanoseconds(Int64(now.tv_nsec) - numbers[6])
    let hasOnlySeconds = numbers[4] == 0 && numbers[6] == 0
    return age > (hasOnlySeconds ? .seconds(3) : .milliseconds(100))
  }
}
