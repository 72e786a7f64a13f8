import Glibc
import Synchronization

/// Reads a small file of `/proc`: opens, reads and closes it.
enum ProcessFile {
  enum Content: Equatable {
    case bytes(ArraySlice<UInt8>)
    /// The process has ended, or the file is empty.
    case none
    /// The host has no descriptor left.
    case lacksDescriptors
  }

  private static let length = 4096
  /// A descriptor that is given up for the time of a look when all others are in use: extensions that run are still
  /// looked at in a program that has taken every descriptor.
  private static let spare = Mutex<Int32>(-1)

  /// - Parameter folder: what a relative path is meant from.
  static func read(_ path: String, in folder: Int32 = AT_FDCWD) -> Content {
    let content = open(path, in: folder)
    // Whether there is such a file at all, the kernel says only to who has a descriptor for it.
    return content == .lacksDescriptors ? withSpare { open(path, in: folder) } : content
  }

  private static func open(_ path: String, in folder: Int32) -> Content {
    let descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return self.content(of: descriptor) }
    return errno == EMFILE || errno == ENFILE ? .lacksDescriptors : .none
  }

  /// Sees that there is a descriptor to spare; when the host has many still.
  static func keepSpare() {
    spare.withLock { if $0 < 0 { $0 = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) } }
  }

  private static func withSpare(_ body: () -> Content) -> Content {
    spare.withLock { spare in
      if spare >= 0 { close(spare) }
      defer { spare = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }
      return body()
    }
  }

  private static func content(of descriptor: Int32) -> Content {
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: length)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? .bytes(bytes[..<count]) : .none
  }
}
