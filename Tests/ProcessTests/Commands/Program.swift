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

  let pid: Int32
  private let pidfd: Int32
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
    let map = inner.enumerated().map { clinux_descriptor(source: $0.element, target: Int32($0.offset)) }
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let failure = clinux_spawn(path, &argv, &envp, map, map.count, &pid, &pidfd)
    self.pid = pid
    self.pidfd = pidfd
    (self.input, output, errors) = (outer[0], outer[1], outer[2])
    try Self.check(failure)
  }

  deinit {
    _ = clinux_pidfd_signal(pidfd, SIGKILL)
    var end: Int32 = 0
    var value: Int32 = 0
    _ = clinux_pidfd_reap(pidfd, 1, &end, &value)
    for descriptor in [input, output, errors, pidfd] where descriptor >= 0 { close(descriptor) }
  }

  func signal(_ number: Int32) { _ = clinux_pidfd_signal(pidfd, number) }

  /// Waits until standard output and standard error have ended, and the program too. A program that takes longer is
  /// killed.
  func finish(within limit: Duration = .seconds(45)) async throws -> Output {
    try await onThread {
      if !self.collect(until: ContinuousClock.now + limit, enough: { _, _ in false }) { self.signal(SIGKILL) }
      var end: Int32 = 0
      var value: Int32 = 0
      try Self.check(clinux_pidfd_reap(self.pidfd, 1, &end, &value))
      let heard = self.heard.withLock { $0 }
      return Output(
        stdout: String(decoding: heard.output, as: UTF8.self), stderr: String(decoding: heard.errors, as: UTF8.self),
        status: end == Int32(CLINUX_EXITED.rawValue) ? value : 128 + value)
    }
  }

  /// Waits until a text has come on standard output or standard error, and returns what came there.
  func hear(_ text: String, within limit: Duration = .seconds(45)) async throws -> String {
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

  /// Waiting belongs to a thread of its own: those of the tests are few.
  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try work() }) }.start()
    }
  }

  private static func check(_ error: Int32) throws {
    guard error == 0 else { throw ProgramFailure(description: String(cString: strerror(error))) }
  }
}

/// A program that could not be run, or did not do what the test waits for.
struct ProgramFailure: Error, CustomStringConvertible {
  var description: String
}
