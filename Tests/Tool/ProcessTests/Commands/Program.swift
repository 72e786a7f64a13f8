import CLinux
import Foundation
import Synchronization

/// A program that a test runs beside it: spawned without a shell, and killed at the latest when the value goes.
final class Program: Sendable {
  /// What a program came to.
  struct Output: Sendable {
    var stdout: String
    var stderr: String
    /// The exit status; 128 and the number for a signal.
    var status: Int32
  }

  /// What the program reads.
  enum Input {
    case null
    case text(String)
    /// What somebody else writes; the program gets a copy.
    case descriptor(Int32)
  }

  var pid: Int32 { process.pid }
  private let process: ChildProcess
  private let input: Int32
  private let output: Int32
  private let errors: Int32
  private let pending: [UInt8]
  private let heard = Mutex<(output: [UInt8], errors: [UInt8])>(([], []))

  init(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], input: Input = .text("")
  ) throws {
    var inner = [Int32](repeating: -1, count: 3)
    var outer = [Int32](repeating: -1, count: 3)
    if case .text(let text) = input {
      try Self.check(clinux_spawn_pipe(&inner[0], &outer[0], 0, 0))
      pending = Array(text.utf8)
    } else if case .descriptor(let source) = input {
      inner[0] = fcntl(source, F_DUPFD_CLOEXEC, 0)
      pending = []
    } else {
      inner[0] = open("/dev/null", O_RDONLY | O_CLOEXEC)
      pending = []
    }
    for stream in 1...2 { try Self.check(clinux_spawn_pipe(&outer[stream], &inner[stream], 0, 1)) }
    defer { for descriptor in inner { close(descriptor) } }
    (self.input, output, errors) = (outer[0], outer[1], outer[2])
    process = try ChildProcess(path, arguments, environment: environment, streams: inner)
  }

  deinit {
    for descriptor in [input, output, errors] where descriptor >= 0 { close(descriptor) }
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// Waits until standard output and standard error have ended, and the program too. A program that takes longer is
  /// killed.
  func finish(within limit: Duration = .seconds(90)) async throws -> Output {
    try await onThread {
      if !self.collect(until: ContinuousClock.now + limit, enough: { _, _ in false }) { self.signal(SIGKILL) }
      let status = try self.process.wait()
      let heard = self.heard.withLock { $0 }
      return Output(
        stdout: String(decoding: heard.output, as: UTF8.self), stderr: String(decoding: heard.errors, as: UTF8.self),
        status: status)
    }
  }

  /// Waits until a text has come on standard output or standard error, and returns what came there.
  func hear(_ text: String, within limit: Duration = .seconds(90)) async throws -> String {
    try await onThread {
      _ = self.collect(until: ContinuousClock.now + limit) { output, errors in
        [output, errors].contains { String(decoding: $0, as: UTF8.self).contains(text) }
      }
      let heard = self.heard.withLock { $0 }
      let streams = [heard.output, heard.errors].map { String(decoding: $0, as: UTF8.self) }
      guard let stream = streams.first(where: { $0.contains(text) }) else {
        throw ProgramFailure(description: "“\(text)” did not come, but \(streams)")
      }
      return stream
    }
  }

  /// Reads and writes until both outputs have ended (true), or what came is enough, or the time is over (false).
  private func collect(until end: ContinuousClock.Instant, enough: ([UInt8], [UInt8]) -> Bool) -> Bool {
    var open = [output, errors]
    var rest = pending[...]
    var isWriting = input >= 0
    while !open.isEmpty {
      if heard.withLock({ enough($0.output, $0.errors) }) || ContinuousClock.now > end { return false }
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if isWriting { polled.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
      poll(&polled, nfds_t(polled.count), 100)
      for entry in polled where entry.revents != 0 {
        if isWriting, entry.fd == input {
          let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
          rest = rest.dropFirst(max(count, 0))
          if rest.isEmpty || (count < 0 && errno != EAGAIN) {
            isWriting = false
            // The end of the input; the number stays taken until the value goes.
            let null = Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
            dup2(null, input)
            close(null)
          }
          continue
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(entry.fd, &bytes, bytes.count)
        if count == 0 || (count < 0 && errno != EAGAIN) { open.removeAll { $0 == entry.fd } }
        heard.withLock { heard in
          if entry.fd == output { heard.output += bytes.prefix(max(count, 0)) }
          if entry.fd == errors { heard.errors += bytes.prefix(max(count, 0)) }
        }
      }
    }
    return true
  }

  private static func check(_ error: Int32) throws {
    guard error == 0 else { throw ProgramFailure(error: error) }
  }
}
