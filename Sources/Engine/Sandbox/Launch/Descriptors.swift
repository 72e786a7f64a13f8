import CLinux
import Glibc

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

/// Both ends of a new pair of sockets, close-on-exec: what the host and a launcher say to each other. The host's end
/// never waits.
struct Channel: ~Copyable {
  let hostEnd: Descriptor
  let childEnd: Descriptor

  init() throws(SandboxError) {
    var ends: (host: Int32, child: Int32) = (-1, -1)
    let error = unsafe clinux_spawn_channel(&ends.host, &ends.child)
    guard error == 0 else { throw .system("socketpair", error) }
    hostEnd = Descriptor(ends.host)
    childEnd = Descriptor(ends.child)
  }

  /// The host's end, for the caller to close; the other is closed here.
  consuming func host() -> Int32 { hostEnd.release() }
}

/// One descriptor with one owner: closed when it is not handed on.
struct Descriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// Returns the number to the caller, who closes it.
  consuming func release() -> Int32 {
    let number = number
    discard self
    return number
  }
}
