import Foundation
import HTTPClient
import TestPrograms
import TestSupport
import Testing

@testable import Transfers

/// OpenSSL's server of the files of a folder, with a certificate of its own.
private final class SecureServer: Sendable {
  let port: Int
  private let process: Int32
  private let output: FileHandle

  /// - Parameter name: whom the certificate in `server.pem` is for, as an alternative name: `IP:127.0.0.1`.
  init(_ folder: TemporaryDirectory, for name: String) throws {
    let made = try ShellCommand.output(
      of: """
        cd '\(folder.path)' && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
        -subj /CN=test -addext subjectAltName=\(name) -keyout key.pem -out server.pem 2>&1
        """)
    guard made.status == 0 else { throw Failure(said: made.text) }
    let pipe = Pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 1)
    let line = "openssl s_server -accept 127.0.0.1:0 -cert server.pem -key key.pem -WWW 2>/dev/null </dev/null"
    let command: [String] = ["/bin/sh", "-c", "cd '\(folder.path)' && exec \(line)"]
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    guard posix_spawn(&pid, "/bin/sh", &actions, nil, &words, environ) == 0 else { throw Failure(said: "no server") }
    process = pid
    output = pipe.fileHandleForReading
    try pipe.fileHandleForWriting.close()
    // It says where it listens: ACCEPT 127.0.0.1:40123
    var said = ""
    let prefix = "ACCEPT 127.0.0.1:"
    func port() -> Int? {
      said.split(separator: "\n").dropLast(said.hasSuffix("\n") ? 0 : 1).first { $0.hasPrefix(prefix) }
        .flatMap { Int($0.dropFirst(prefix.count)) }
    }
    while port() == nil {
      let bytes = output.availableData
      if bytes.isEmpty { break }
      said += String(decoding: bytes, as: UTF8.self)
    }
    guard let port = port() else { throw Failure(said: said) }
    self.port = port
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private struct Failure: Error { let said: String }
}

@Suite(.timeLimit(.minutes(1)))
struct `A download from a server with a certificate` {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    _ = try folder.write("over a secure connection", to: "file")
  }

  private func download(for name: String, trusting trusted: Bool) async throws -> RunnerPlace {
    let server = try SecureServer(folder, for: name)
    let certificate = folder.file("server.pem")
    let place = try RunnerPlace { if trusted { $0.certificateFile = certificate } }
    try await place.open()
    try await place.download("https://127.0.0.1:\(server.port)/file")
    try await place.runAll()
    return place
  }

  @Test func `arrives when the certificate is trusted and names the server`() async throws {
    let place = try await download(for: "IP:127.0.0.1", trusting: true)
    #expect(try await place.failure() == nil)
    #expect(place.content() == Array("over a secure connection".utf8))
  }

  @Test(arguments: [("IP:127.0.0.1", false), ("DNS:other.example", true)])
  func `fails at once when it is not trusted, or names another server`(name: String, trusted: Bool) async throws {
    let place = try await download(for: name, trusting: trusted)
    let failure = try #require(await place.failure())
    #expect(failure.code == -1200 && failure.domain == "NSURLErrorDomain")
    #expect(failure.description.contains("No secure connection to https://127.0.0.1:"))
    #expect(place.content() == nil && place.journals.files.isEmpty)
  }
}
