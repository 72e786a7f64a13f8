import Glibc

/// The inotify(7) instance of a loop, which every ``PathWatch`` of the loop shares. It belongs to the loop's thread.
///
/// A user has few instances (`fs.inotify.max_user_instances`, 128), and closing one keeps the closing thread waiting for
/// milliseconds; adding and removing a path does neither. So the instance stays as long as its loop.
final class PathNotifier {
  /// Somebody who is called when paths change.
  typealias Follower = UInt64

  let descriptor: Int32
  private var lastFollower: Follower = 0
  private var calls: [Follower: () -> Void] = [:]
  /// Which changes count for whom, by the kernel's number of what is watched. Two paths to one file have one number.
  private var marks: [Int32: [Follower: PathWatch.Events]] = [:]

  /// - Returns: `nil` when the kernel has no more instances or watches.
  init?(on loop: EventLoop) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    do {
      _ = try loop.watch(descriptor, for: .reading) { [unowned self] _ in drain() }
    } catch {
      return nil
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func add(_ changed: @escaping () -> Void) -> Follower {
    lastFollower += 1
    calls[lastFollower] = changed
    return lastFollower
  }

  /// The follower hears of what changes at a path.
  ///
  /// - Returns: the kernel's number of what the path leads to; `nil` when it cannot be watched.
  func mark(_ path: String, for events: PathWatch.Events, by follower: Follower) -> Int32? {
    // Added to what others want to hear of it.
    let number = unsafe inotify_add_watch(descriptor, path, events.rawValue | UInt32(IN_MASK_ADD))
    guard number >= 0 else { return nil }
    marks[number, default: [:]][follower] = events
    return number
  }

  /// The follower hears no more of something. Without followers it is not watched.
  func unmark(_ number: Int32, by follower: Follower) {
    guard marks[number]?.removeValue(forKey: follower) != nil, marks[number]?.isEmpty == true else { return }
    marks[number] = nil
    inotify_rm_watch(descriptor, number)
  }

  /// The follower, which has no marks any more, is not called again.
  func remove(_ follower: Follower) { calls[follower] = nil }

  /// Reads what has happened, and calls everybody whom it concerns once.
  private func drain() {
    var concerned: Set<Follower> = []
    unsafe withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
      while true {
        let count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        unsafe note(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: &concerned)
      }
    }
    // One that is called may take another away.
    for follower in concerned { calls[follower]?() }
  }

  private func note(_ bytes: UnsafeRawBufferPointer, in concerned: inout Set<Follower>) {
    let header = MemoryLayout<inotify_event>.size
    var start = 0
    while start + header <= bytes.count {
      let event = unsafe bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      start += header + Int(event.len)
      note(event.wd, event.mask, in: &concerned)
    }
  }

  private func note(_ number: Int32, _ mask: UInt32, in concerned: inout Set<Follower>) {
    // More has happened than the kernel remembers.
    if mask & UInt32(IN_Q_OVERFLOW) != 0 { return concerned.formUnion(calls.keys) }
    // What is watched is gone, and the kernel has forgotten it.
    let isGone = mask & UInt32(IN_IGNORED) != 0
    for (follower, events) in marks[number] ?? [:] where isGone || mask & events.rawValue != 0 {
      concerned.insert(follower)
    }
    if isGone { marks[number] = nil }
  }
}
