import Glibc

/// One read of a descriptor that does not block.
package enum DescriptorRead {
  case bytes([UInt8])
  case wouldBlock
  case end

  static func once(_ descriptor: Int32) -> DescriptorRead {
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    if count > 0 {
      bytes.removeLast(bytes.count - count)
      return .bytes(bytes)
    }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .wouldBlock : .end
  }

  /// Whether a read would return something now, the end of the stream aside.
  package static func hasBytes(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLIN) != 0
  }
}
