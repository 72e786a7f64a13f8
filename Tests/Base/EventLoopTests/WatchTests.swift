import CLinux
import Glibc
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(1))) struct `A watched descriptor` {
  @Test func `is ready when bytes are there, again and again, until it is not watched any more`() {
    let loop = EventLoop()
    let count = loop.run { () -> Int in
      let (reading, writing) = pipe()
      defer { close(reading, writing) }
      let counter = Counter()
      guard let watch = try? loop.watch(reading, for: .reading, { _ in counter.value += 1 }) else { return -1 }
      try? await loop.sleep(for: .milliseconds(2))
      #expect(counter.value == 0)
      write(writing)
      while counter.value < 3 { await Task.yield() }
      loop.unwatch(watch)
      let before = counter.value
      try? await loop.sleep(for: .milliseconds(2))
      return counter.value - before
    }
    #expect(count == 0)
  }

  @Test func `pauses with an empty interest, also when the peer has hung up`() {
    let loop = EventLoop()
    let calls = loop.run { () -> [Int] in
      let (reading, writing) = pipe()
      let counter = Counter()
      guard let watch = try? loop.watch(reading, for: .reading, { _ in counter.value += 1 }) else { return [] }
      try? loop.update(watch, to: [])
      clinux_close(writing)
      try? await loop.sleep(for: .milliseconds(2))
      let paused = counter.value
      try? loop.update(watch, to: .reading)
      while counter.value == 0 { await Task.yield() }
      loop.unwatch(watch)
      clinux_close(reading)
      return [paused]
    }
    #expect(calls == [0])
  }

  @Test func `that is a file or /dev/null is always ready`() {
    let loop = EventLoop()
    let isReady = loop.run { () -> Bool in
      let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
      let counter = Counter()
      guard let watch = try? loop.watch(null, for: .reading, { _ in counter.value += 1 }) else { return false }
      while counter.value < 3 { await Task.yield() }
      #expect(watch.isAlwaysReady)
      try? loop.update(watch, to: [])
      let before = counter.value
      try? await loop.sleep(for: .milliseconds(2))
      #expect(counter.value == before)
      loop.unwatch(watch)
      clinux_close(null)
      return true
    }
    #expect(isReady)
  }

  @Test func `that is always ready is so also while there is nothing else to do`() {
    let loop = EventLoop(spin: .zero)
    let count = loop.run { () -> Int in
      let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
      let counter = Counter()
      await withCheckedContinuation { continuation in
        let watch = try? loop.watch(null, for: .reading) { _ in
          counter.value += 1
          if counter.value == 3 { continuation.resume() }
        }
        counter.watches = [watch].compactMap(\.self)
      }
      for watch in counter.watches { loop.unwatch(watch) }
      clinux_close(null)
      return counter.value
    }
    #expect(count >= 3)
  }

  @Test func `is watched once at a time, and is nothing to a watch that has ended`() {
    let loop = EventLoop()
    let errors = loop.run { () -> [WatchError?] in
      let (reading, writing) = pipe()
      defer { close(reading, writing) }
      let counter = Counter()
      func watched() throws(WatchError) -> Watch { try loop.watch(reading, for: .reading) { _ in counter.value += 1 } }
      func error(_ body: () throws(WatchError) -> Void) -> WatchError? {
        do throws(WatchError) {
          try body()
          return nil
        } catch { return error }
      }
      var errors: [WatchError?] = []
      for _ in 0..<2 {
        guard let watch = try? watched() else { return [] }
        errors.append(error { () throws(WatchError) in _ = try watched() })
        loop.unwatch(watch)
        loop.unwatch(watch)
        // Its number may be another's by now.
        errors.append(error { () throws(WatchError) in try loop.update(watch, to: .writing) })
        #expect(watch.interest == .reading)
      }
      guard let watch = try? watched() else { return [] }
      write(writing)
      while counter.value == 0 { await Task.yield() }
      loop.unwatch(watch)
      return errors
    }
    #expect(errors == [WatchError(errno: EEXIST), nil, WatchError(errno: EEXIST), nil])
  }

  @Test func `is ready for what it is watched for, whatever that is by now`() {
    let loop = EventLoop()
    let heard = loop.run { () -> [Interest] in
      var ends: (Int32, Int32) = (-1, -1)
      #expect(clinux_stream_pair(&ends.0, &ends.1) == 0)
      defer { close(ends.0, ends.1) }
      let log = Log()
      guard let watch = try? loop.watch(ends.0, for: .writing, { log.heard.append($0) }) else { return [] }
      var found: [Interest] = []
      for interest in [Interest.writing, [.reading, .writing], .reading, .writing, [], .reading] {
        try? loop.update(watch, to: interest)
        if interest == [.reading, .writing] { write(ends.1) }
        log.heard = []
        while log.heard.isEmpty, interest != [] { await Task.yield() }
        if interest == [] { try? await loop.sleep(for: .milliseconds(2)) }
        found.append(log.heard.last ?? [])
      }
      loop.unwatch(watch)
      return found
    }
    #expect(heard == [.writing, [.reading, .writing], .reading, .writing, [], .reading])
  }

  private final class Log {
    var heard: [Interest] = []
  }

  @Test func `must be one`() {
    let loop = EventLoop()
    let error = loop.run { () -> WatchError? in
      do throws(WatchError) {
        _ = try loop.watch(-1, for: .reading) { _ in }
        return nil
      } catch { return error }
    }
    #expect(error == WatchError(errno: EBADF))
  }

  @Test func `may be removed by the action of another in the same turn`() {
    let loop = EventLoop()
    let total = loop.run { () -> Int in
      let pairs = [pipe(), pipe()]
      defer { for pair in pairs { close(pair.0, pair.1) } }
      let counter = Counter()
      var watches: [Watch] = []
      for pair in pairs {
        guard
          let watch = try? loop.watch(
            pair.0, for: .reading,
            { _ in
              counter.value += 1
              for other in counter.watches { loop.unwatch(other) }
            })
        else { return -1 }
        watches.append(watch)
      }
      counter.watches = watches
      for pair in pairs { write(pair.1) }
      while counter.value == 0 { await Task.yield() }
      try? await loop.sleep(for: .milliseconds(2))
      return counter.value
    }
    #expect(total == 1)
  }

  private final class Counter {
    var value = 0
    var watches: [Watch] = []
  }

  private func pipe() -> (Int32, Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    #expect(clinux_stream_pipe(&ends.0, &ends.1) == 0)
    return ends
  }

  private func write(_ descriptor: Int32) { _ = clinux_write(descriptor, "x", 1) }

  private func close(_ first: Int32, _ second: Int32) {
    clinux_close(first)
    clinux_close(second)
  }
}
