import CLinux
import Glibc

/// Plain pipes for tests.
struct Pipes: Sendable {
  let input: Int32
  let output: Int32

  struct Failure: Error {}

  /// Two ends: what one writes the other reads.
  static func crossed() throws -> (Pipes, Pipes) {
    var first: (Int32, Int32) = (-1, -1)
    var second: (Int32, Int32) = (-1, -1)
    guard clinux_stream_pipe(&first.0, &first.1) == 0, clinux_stream_pipe(&second.0, &second.1) == 0 else {
      throw Failure()
    }
    return (Pipes(input: first.0, output: second.1), Pipes(input: second.0, output: first.1))
  }

  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { clinux_write(output, $0.baseAddress, $0.count) }
  }

  /// What is there now.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = bytes.withUnsafeMutableBytes { clinux_read(input, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func closeOutput() { clinux_close(output) }
  func closeInput() { clinux_close(input) }
  func closeBoth() {
    closeOutput()
    closeInput()
  }

  static func openNull() -> Int32 { open("/dev/null", isWritten: true) }
  static func open(_ path: String, isWritten: Bool = false) -> Int32 {
    Glibc.open(path, (isWritten ? O_RDWR : O_RDONLY) | O_CLOEXEC)
  }
  static func close(_ descriptor: Int32) { clinux_close(descriptor) }
}
