import CommandRuntime
import EventLoop
import Glibc
import Testing

@testable import FeatureCommands

/// Secrets that a program hands over through a descriptor.
@Suite(.timeLimit(.minutes(1)))
struct `Lines of a descriptor` {
  /// - Parameter isOpen: whether more may come behind the text.
  private func reading<Value: Sendable>(
    _ text: String, isOpen: Bool = false, _ body: @escaping @Sendable (LinesOfDescriptor) async throws -> Value
  ) async throws -> Value {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reader, writer) = (ends[0], ends[1])
    let bytes = Array(text.utf8)
    try #require(write(writer, bytes, bytes.count) == bytes.count)
    if !isOpen { close(writer) }
    let loop = EventLoop.onThread(name: "lines")
    defer {
      loop.stop()
      if isOpen { close(writer) }
      close(reader)
    }
    return try await withTaskExecutorPreference(loop) {
      try await body(LinesOfDescriptor(Int(reader), option: "--codes-fd", loop: loop))
    }
  }

  @Test func `are read one after the other, the last without an end, and then none`() async throws {
    let lines = try await reading("a\nb c\r\n\u{E9}") { lines in
      [try await lines.next(), try await lines.next(), try await lines.next(), try await lines.next()]
    }
    #expect(lines == ["a", "b c", "\u{E9}", nil])
    #expect(try await reading("") { try await $0.next() } == nil)
    #expect(try await reading("a\n") { lines in [try await lines.next(), try await lines.next()] } == ["a", nil])
  }

  @Test func `come before the end`() async throws {
    #expect(try await reading("a\nb\n", isOpen: true) { [try await $0.next(), try await $0.next()] } == ["a", "b"])
  }

  @Test(arguments: ["\n", "\r\n", "\u{7}\n", "a\u{1B}[2J"]) func `are text`(text: String) async throws {
    let error = await #expect(throws: InputError.self) { try await reading(text) { try await $0.next() } }
    #expect(error?.message == "What --codes-fd gives is not a line of text.")
  }

  @Test func `have 65,536 bytes or a little more`() async throws {
    // A pipe would be full.
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { for end in ends { close(end) } }
    let loop = EventLoop.onThread(name: "lines")
    defer { loop.stop() }
    let lines = try LinesOfDescriptor(Int(reader), option: "--codes-fd", loop: loop)
    let longest = [UInt8](repeating: 0x61, count: 65_536) + [0x0A]
    try #require(write(writer, longest, longest.count) == longest.count)
    let line = try await withTaskExecutorPreference(loop) { try await lines.next() }
    #expect(line?.utf8.count == 65_536)
    // It is read four kibibytes at a time: what has no end after one more is not waited for.
    let endless = [UInt8](repeating: 0x61, count: 65_536 + 4_096)
    try #require(write(writer, endless, endless.count) == endless.count)
    let error = await #expect(throws: InputError.self) {
      _ = try await withTaskExecutorPreference(loop) { try await lines.next() }
    }
    #expect(error?.message == "What --codes-fd gives is too long.")
  }

  @Test func `are waited for no longer than somebody wants them`() async throws {
    await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await reading("a", isOpen: true) { try await $0.next() } }
      group.cancelAll()
      await #expect(throws: CancellationError.self) { try await group.next() }
    }
  }

  @Test func `are refused where there is no descriptor`() {
    for number in [-1, 1 << 20, Int.max] {
      let error = #expect(throws: InputError.self) {
        _ = try LinesOfDescriptor(number, option: "--codes-fd", loop: EventLoop())
      }
      #expect(error?.message == "The descriptor \(number) of --codes-fd is not open.")
    }
  }
}
