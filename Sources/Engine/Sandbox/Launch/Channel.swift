import CLinux

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
