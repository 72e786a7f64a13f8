import CLinux
import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices

/// A document in the user's hands: a copy where no extension can reach it, so that no link that one plants in the document
/// storage leads the user's programs anywhere.
struct WorkingCopy {
  let path: String
  private let folder: String

  init(of document: String, _ bytes: [UInt8], in state: StateDirectory) throws {
    let parent = try state.folder("documents")
    do throws(FileError) {
      folder = try Folder.makeTemporary(beginning: "\(parent)/")
    } catch {
      throw OutputError(message: error.message)
    }
    path = "\(folder)/\(ForeignName.safe(document))"
    do { try OutputFile.writeNew(bytes, to: path) } catch {
      remove()
      throw error
    }
  }

  func read() throws -> [UInt8] { try InputFile.read(path, limit: DocumentStorage.limit) }

  func remove() { try? StateDirectory.remove(folder) }

  /// Waits until standard input ends, or the user interrupts.
  func keepUntilInputEnds(_ invocation: Invocation) async throws {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    let watch = try invocation.loop.watch(STDIN_FILENO, for: .reading) { _ in
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { continuation.finish() }
    }
    defer { invocation.loop.unwatch(watch) }
    let stop: @Sendable () -> Void = { continuation.finish() }
    await invocation.interruption.heard(by: stop) { for await _ in ends {} }
  }

  /// Runs a command of the user's with the path as its last argument, on the same terminal, and waits for its end.
  ///
  /// - Throws: `handlerFailed` when the command fails: the document stays as it was.
  func edit(with command: String, _ invocation: Invocation) async throws {
    let words = ["/bin/sh", "-c", "\(command) \"$1\"", "sh", path]
    var argv = words.map { strdup($0) } + [nil]
    var envp = invocation.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + envp { free(text) } }
    let map = (0..<3).map { clinux_descriptor(source: $0, target: $0) }
    var pid: pid_t = 0
    var pidfd: Int32 = -1
    let failure = clinux_spawn("/bin/sh", &argv, &envp, map, map.count, &pid, &pidfd)
    guard failure == 0 else {
      throw ExtensionError(.launchFailed, "Cannot run /bin/sh: \(SystemError(failure)).")
    }
    defer { close(pidfd) }
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    let watch = try invocation.loop.watch(pidfd, for: .reading) { _ in continuation.finish() }
    // The terminal sends its interrupt to the command too, which decides how to react.
    let leave: @Sendable () -> Void = {}
    await invocation.interruption.heard(by: leave) { for await _ in ends {} }
    invocation.loop.unwatch(watch)
    var end: Int32 = 0
    var status: Int32 = 0
    let isReaped = clinux_pidfd_reap(pidfd, 1, &end, &status) == 0
    guard isReaped, end == Int32(CLINUX_EXITED.rawValue), status == 0 else {
      throw ExtensionError(
        .handlerFailed, "\(command.escapedForTerminal) failed with \(status).",
        recovery: "The document is unchanged. Run the command by hand to see why it fails.")
    }
  }
}
