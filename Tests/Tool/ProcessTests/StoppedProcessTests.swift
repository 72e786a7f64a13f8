import JSONRPC
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import Sandbox
import Testing

/// Processes that stop, hang or stay, at every moment of their lives: each ends within the grace, with one reason.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `A process that` {
  private let stop = "import signal; signal.raise_signal(signal.SIGSTOP)"

  private func run(
    _ body: String, handshake: Duration = .seconds(30), deadline: Duration = .seconds(20), prelude: String = "",
    epilogue: String = ""
  ) async throws -> (stage: Stage, id: String, outcome: Result<UpdateResult, any Error>) {
    let folder = try TemporaryFolder()
    let id = try Script.install("stopping", in: folder, prelude: prelude, atEnd: epilogue, body)
    let stage = try Stage(folder) {
      $0.termination = .milliseconds(300)
      $0.handshake = handshake
    }
    let outcome: Result<UpdateResult, any Error>
    do { outcome = .success(try await stage.update(id, deadline: deadline)) } catch { outcome = .failure(error) }
    #expect(Processes.running("\(folder.path)/Plugins/stopping.py").isEmpty)
    #expect(stage.scratchFolders.isEmpty)
    return (stage, id, outcome)
  }

  private func error(_ outcome: Result<UpdateResult, any Error>) throws -> ExtensionError {
    guard case .failure(let error as ExtensionError) = outcome else { throw UnexpectedSuccess(result: "\(outcome)") }
    return error
  }

  @Test func `stops itself at its start ends at the deadline of the handshake`() async throws {
    let (stage, id, outcome) = try await run("show(1)", handshake: .seconds(2), prelude: stop)
    #expect(try error(outcome).code == .deadlineExceeded)
    #expect(stage.host.health(of: id).lastFailure?.kind == .handshakeTimeout)
  }

  @Test func `stops itself in a request ends at the deadline of the request`() async throws {
    let (stage, id, outcome) = try await run(stop, deadline: .milliseconds(300))
    #expect(try error(outcome).code == .deadlineExceeded)
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == .deadline)
    #expect(failure.method == "widget/performUpdate")
  }

  @Test func `stops itself at its end has served, and is ended by force`() async throws {
    let (stage, id, outcome) = try await run("show(1)", epilogue: stop)
    #expect(try outcome.get() == .newData("1"))
    #expect(!stage.host.health(of: id).isFailing)
  }

  @Test func `closes its output and lives on is ended`() async throws {
    let (stage, id, outcome) = try await run("os.close(1); time.sleep(300)")
    #expect(try error(outcome).code == .peerExited)
    #expect(stage.host.health(of: id).lastFailure?.kind == .hungUp)
  }

  /// The init of the sandbox is killed by somebody who may: nobody saw how the extension ended, and it is not said that
  /// it had closed something.
  @Test func `loses its sandbox is said to be gone with it`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("losing", in: folder, "open(directories['container'] + '/runs', 'w')\ntime.sleep(300)")
    let stage = try Stage(folder)
    let launcher = try ExtensionHost.findLauncher(state: StateDirectory(path: "\(folder.path)/home"))
    guard try SandboxProbe(launcher: launcher).run().tier == .full else { return }
    async let failing = stage.failure(of: id, deadline: .seconds(30))
    while !FileManager.default.fileExists(atPath: "\(folder.path)/home/containers/\(id)/runs") { await Task.yield() }
    let own = try #require(Processes.running("\(folder.path)/Plugins/losing.py").first)
    #expect(kill(try #require(Processes.parent(of: own)), SIGKILL) == 0)
    let error = try await failing
    #expect(error.code == .peerExited && error.reason == "sandboxEnded", "\(error)")
    #expect(error.message.contains("is gone with its sandbox"), "\(error)")
  }

  @Test func `closes its input and lives on is ended`() async throws {
    let (_, _, outcome) = try await run("os.close(0); show(1); time.sleep(300)")
    #expect(try outcome.get() == .newData("1"))
  }

  @Test func `ignores every signal is ended`() async throws {
    let (stage, id, outcome) = try await run(
      "show(1); time.sleep(300)",
      prelude: """
        import signal
        for number in range(1, 65):
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        """)
    #expect(try outcome.get() == .newData("1"))
    #expect(!stage.host.health(of: id).isFailing)
  }

  @Test(arguments: [
    ("import signal; signal.raise_signal(11)", FailureKind.crashed, Int32(11)), ("os.abort()", .crashed, 6),
    ("import signal; signal.raise_signal(9)", .crashed, 9), ("sys.exit(0)", .exited, 0), ("sys.exit(3)", .exited, 3),
  ])
  func `ends by itself fails every open call at once, with the reason`(
    body: String, kind: FailureKind, number: Int32
  ) async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "ending", in: folder, "if params[\"displayMode\"] == \"expanded\":\n    \(body)")
    let stage = try Stage(folder) { $0.termination = .milliseconds(300) }
    let errors = try await stage.host.withExtension(id) { widget in
      await withTaskGroup(of: ExtensionError?.self) { group in
        for index in 0..<10 {
          group.addTask {
            do {
              _ = try await widget.performUpdate(displayMode: index == 9 ? .expanded : .compact, deadline: .seconds(50))
              return nil
            } catch {
              return error as? ExtensionError
            }
          }
        }
        return await group.reduce(into: [ExtensionError?]()) { $0.append($1) }
      }
    }
    #expect(errors.count == 10)
    #expect(errors.allSatisfy { $0?.code == .peerExited }, "\(errors)")
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == kind)
    #expect((kind == .crashed ? failure.signal : failure.status) == number)
    #expect(stage.host.health(of: id).failures.count == 1)
  }

  @Test func `is stopped several times, while it starts and while it crashes, ends once`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("stopped", in: folder, "sys.exit(3)")
    let stage = try Stage(folder) {
      $0.termination = .milliseconds(300)
      $0.backOff = .zero
    }
    _ = try? await stage.update(id)
    let before = Processes.descriptorsBesideLoops
    for _ in 0..<10 {
      try await stage.host.reset(id)
      async let one = stage.failure(of: id)
      async let two: Void = stage.host.restart(id)
      async let three: Void = stage.host.restart(id)
      let (error, _, _) = try await (one, two, three)
      #expect([.peerExited, .cancelled].contains(error.code), "\(error)")
    }
    #expect(Processes.running("\(folder.path)/Plugins/stopped.py").isEmpty)
    #expect(stage.scratchFolders.isEmpty)
    #expect(Processes.descriptorsBesideLoops <= before + 2)
  }
}
