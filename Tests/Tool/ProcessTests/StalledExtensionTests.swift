import ExtensionHosting
import ExtensionProtocol
import HostServices
import Testing

/// More than a pipe holds.
private struct Load: RemoteMethod {
  typealias Result = Empty
  static let method = "widget/performUpdate"
  var text = String(repeating: "0123456789abcdef", count: 160 << 10)
}

@Suite(.timeLimit(.minutes(1)), .enabled(if: Script.isAvailable))
struct `An extension that much is sent to` {
  private func stage(_ body: String) throws -> (Stage, id: String) {
    let folder = try TemporaryFolder()
    let id = try Script.install("deaf", in: folder, body)
    return (try Stage(folder) { $0.termination = .milliseconds(200) }, id)
  }

  private static func error(_ body: () async throws -> Void) async -> ExtensionError? {
    do {
      try await body()
      return nil
    } catch { return ExtensionError(wrapping: error) }
  }

  @Test func `and that reads nothing is cut off, every call is answered, and another is served`() async throws {
    let (stage, id) = try stage("time.sleep(300)")
    let start = ContinuousClock.now
    async let served = stage.update("com.example.fixtures.lengthy", deadline: .seconds(30))
    let errors = try await stage.host.withExtension(id) { deaf in
      await withTaskGroup(of: ExtensionError?.self) { group in
        // 10 MiB, of which the queue takes 8.
        for _ in 0..<4 {
          group.addTask { await Self.error { _ = try await deaf.call(Load(), deadline: .seconds(50)) } }
        }
        return await group.reduce(into: [ExtensionError?]()) { $0.append($1) }
      }
    }
    #expect(try await served.view?.title == "Lengthy")
    #expect(errors.count == 4)
    #expect(errors.allSatisfy { [.protocolViolation, .queueFull].contains($0?.code) }, "\(errors)")
    #expect(errors.contains { $0?.message.contains("The peer read nothing for") == true }, "\(errors)")
    #expect(ContinuousClock.now - start < .seconds(30))
    let failure = try #require(stage.host.health(of: id).lastFailure)
    #expect(failure.kind == .protocolViolation && failure.violation == "writeStalled", "\(failure)")
    #expect(Processes.running("\(stage.folder.path)/Plugins/deaf.py").isEmpty)
    #expect(stage.scratchFolders.isEmpty)
  }

  @Test func `and that ends in the middle of it fails the call with its end`() async throws {
    let (stage, id) = try stage("show(1)\nos.read(0, 100000)\nos._exit(3)")
    let error = try await stage.host.withExtension(id) { widget in
      _ = try await widget.performUpdate()
      return await Self.error { _ = try await widget.call(Load(), deadline: .seconds(30)) }
    }
    #expect(error?.code == .peerExited)
    #expect(error?.message == "deaf exited with status 3, before it answered widget/performUpdate.")
    #expect(stage.scratchFolders.isEmpty)
  }
}
