import CLinux

/// Both ends of a new pipe, close-on-exec. The end that the host keeps never waits.
struct Pipe: ~Copyable {
  enum HostEnd {
    case reading
    case writing
  }

  let readEnd: Descriptor
  let writeEnd: Descriptor

  init(host: HostEnd, capacity: Int32 = 0) throws(SandboxError) {
    var ends: (read: Int32, write: Int32) = (-1, -1)
    let error = unsafe clinux_spawn_pipe(&ends.read, &ends.write, capacity, host == .reading ? 1 : 0)
    guard error == 0 else { throw .system("pipe2", error) }
    readEnd = Descriptor(ends.read)
    writeEnd = Descriptor(ends.write)
  }

  /// The reading end, for the caller to close; the other is closed here.
  consuming func reader() -> Int32 { readEnd.release() }

  /// The writing end, for the caller to close; the other is closed here.
  consuming func writer() -> Int32 { writeEnd.release() }
}
