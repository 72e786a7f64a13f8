import Glibc
import Testing

@testable import HostCLI

/// A stream of a program in the sandbox on its way.
@Suite(.timeLimit(.minutes(1)))
struct `A stream that is passed on` {
  /// Two ends of a pipe that never wait.
  private final class Pipe {
    let source: Int32
    private var target: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0)
      }
      (source, target) = (ends[0], ends[1])
    }

    deinit {
      close(source)
      end()
    }

    var destination: Int32 { target }

    func put(_ bytes: [UInt8]) { #expect(write(target, bytes, bytes.count) == bytes.count) }
    func put(_ text: String) { put(Array(text.utf8)) }

    func end() {
      if target >= 0 { close(target) }
      target = -1
    }

    /// Everything that is there.
    func taken() -> String {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = read(source, &bytes, bytes.count)
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test func `goes on unchanged, and ends with its source`() throws {
    let (from, to) = (try Pipe(), try Pipe())
    var relay = StreamRelay(from: from.source, to: .descriptor(to.destination))
    relay.step()
    #expect(!relay.hasEnded && relay.pendingDescriptor == nil && to.taken() == "")
    from.put("a\u{1B}[1m\r")
    relay.step()
    #expect(to.taken() == "a\u{1B}[1m\r" && relay.pendingDescriptor == nil)
    from.end()
    relay.step()
    #expect(relay.hasEnded && relay.captured == nil)
  }

  @Test func `reads no further while what it read is not written`() throws {
    let (from, to) = (try Pipe(), try Pipe())
    // The pipe is full.
    var filling = 0
    let piece = [UInt8](repeating: 0x78, count: 4096)
    while write(to.destination, piece, piece.count) > 0 { filling += 1 }
    #expect(filling > 0)
    var relay = StreamRelay(from: from.source, to: .descriptor(to.destination))
    from.put("first")
    relay.step()
    #expect(relay.pendingDescriptor == to.destination)
    from.put("second")
    from.end()
    relay.step()
    #expect(relay.pendingDescriptor == to.destination && !relay.hasEnded)
    _ = to.taken()
    relay.step()
    #expect(relay.pendingDescriptor == nil && !relay.hasEnded)
    relay.step()
    relay.step()
    #expect(relay.hasEnded && to.taken().hasSuffix("firstsecond"))
  }

  @Test func `has control characters written out at a terminal, also in a character that comes in two pieces`() throws {
    let (from, to) = (try Pipe(), try Pipe())
    var relay = StreamRelay(from: from.source, to: .terminal(to.destination))
    from.put([0x1B, 0xC3])
    relay.step()
    #expect(to.taken() == "\\u{1b}" && relay.pendingDescriptor == nil)
    from.put([0xA9, 0xE2])
    relay.step()
    #expect(to.taken() == "é")
    from.end()
    relay.step()
    #expect(to.taken() == "\u{FFFD}" && relay.hasEnded)
  }

  @Test func `is kept where that is asked for`() throws {
    let from = try Pipe()
    var relay = StreamRelay(from: from.source, to: .capture)
    #expect(relay.targetDescriptor == nil && relay.captured?.text == "")
    from.put("a\u{1B}")
    relay.step()
    from.put("b")
    relay.step()
    #expect(relay.captured?.text == "a\u{1B}b" && relay.pendingDescriptor == nil && !relay.hasEnded)
    from.end()
    relay.step()
    #expect(relay.hasEnded)
  }

  @Test func `is read to its end when nobody takes it`() throws {
    let from = try Pipe()
    // It cannot be written to.
    let closed = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(closed) }
    var relay = StreamRelay(from: from.source, to: .descriptor(closed))
    from.put("a")
    relay.step()
    #expect(relay.pendingDescriptor == nil && !relay.hasEnded)
    from.put("b")
    relay.step()
    #expect(relay.pendingDescriptor == nil && !relay.hasEnded && from.taken() == "")
    from.end()
    relay.step()
    #expect(relay.hasEnded)
  }
}
