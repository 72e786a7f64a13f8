import CLinux
package import EventLoop
import Files
import Glibc
import JSON
import JSONRPC

/// The way from a host that asks its user something to a page of the same user that can show the question: a socket in the
/// folder of sockets, which only this user's programs reach.
///
/// The asking side connects, and calls `question/ask`. When either side is gone, the question is. A host without a terminal
/// or a screen of its own has `PermissionAuthority(state: state, consent: .ask(QuestionDesk(state).ask))`.
public struct QuestionDesk: Sendable {
  /// How long a question may wait: longer than any page lets it.
  private static let patience = Duration.seconds(900)

  private let state: StateDirectory

  /// - Parameter state: hosts and pages on the same state directory find each other.
  public init(_ state: StateDirectory) { self.state = state }

  /// Asks the user of a page, on a thread of its own while the question is open.
  ///
  /// - Returns: the answer; `dismissed` when no page is served, or when it ended before an answer.
  @Sendable public func ask(_ question: PermissionQuestion) async -> Consent.Answer {
    guard let loop = try? EventLoop.started(name: "annex-question", spin: .zero) else { return .dismissed }
    defer { loop.stop() }
    return await ask(question, on: loop) ?? .dismissed
  }

  /// Asks the user of a page.
  ///
  /// - Returns: the answer; `nil` when no page is served, or when it ended before an answer.
  package func ask(_ question: PermissionQuestion, on loop: EventLoop) async -> Consent.Answer? {
    let descriptor = clinux_local_connect(state.paths.questionSocket)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let connection = Connection(on: loop, input: descriptor, output: descriptor)
    return await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { _ = await connection.run(handler: NoHandler()) }
      let answered = try? await connection.call(
        QuestionAsked.method, QuestionAsked(question), returning: QuestionAnswered.self, deadline: Self.patience)
      await connection.close(.finished)
      return answered?.answer
    }
  }

  /// Takes the questions of other hosts until the task is cancelled. One page has the desk; a second one gets it when the
  /// first has ended.
  ///
  /// - Parameter answer: asks the user; is cancelled when the host does not wait any more.
  package func serve(
    on loop: EventLoop, _ answer: @escaping @Sendable (PermissionQuestion) async -> Consent.Answer
  ) async {
    await QuestionDoor(state.paths, on: loop, answer).run()
  }
}

/// The side of the page.
private actor QuestionDoor {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let paths: StatePaths
  private let handler: Handler
  private var open = 0

  /// How many hosts may have a question at once.
  private static let most = 32
  /// How long a page waits until it tries again to take the desk that another page has.
  private static let pause = Duration.seconds(2)

  init(
    _ paths: StatePaths, on loop: EventLoop, _ answer: @escaping @Sendable (PermissionQuestion) async -> Consent.Answer
  ) {
    (self.paths, self.loop) = (paths, loop)
    handler = Handler(answer: answer)
  }

  func run() async {
    while !Task.isCancelled {
      let hasFolder = (try? Folder.make(paths.runtime)) != nil
      let listener = hasFolder ? clinux_local_listen(paths.questionSocket) : -1
      guard listener >= 0 else {
        do { try await loop.sleep(for: Self.pause) } catch { return }
        continue
      }
      await serve(listener)
      unlink(paths.questionSocket)
      close(listener)
    }
  }

  private func serve(_ listener: Int32) async {
    let (callers, source) = AsyncStream.makeStream(of: Int32.self)
    let watch = try? loop.watch(listener, for: .reading) { _ in
      let descriptor = clinux_local_accept(listener)
      if descriptor >= 0 { source.yield(descriptor) }
    }
    guard let watch else { return }
    await withDiscardingTaskGroup { group in
      for await descriptor in callers {
        guard open < Self.most else {
          close(descriptor)
          continue
        }
        open += 1
        group.addTask { await self.serve(caller: descriptor) }
      }
      group.cancelAll()
    }
    loop.unwatch(watch)
    source.finish()
    for await descriptor in callers { close(descriptor) }
  }

  private func serve(caller descriptor: Int32) async {
    var limits = Connection.Configuration(maximumFrameBytes: 256 << 10, maximumInFlight: 1, maximumHeldBytes: 1 << 20)
    limits.maximumOutgoingBytes = 64 << 10
    let connection = Connection(on: loop, input: descriptor, output: descriptor, configuration: limits)
    _ = await connection.run(handler: handler)
    close(descriptor)
    open -= 1
  }

  struct Handler: MessageHandler {
    let answer: @Sendable (PermissionQuestion) async -> Consent.Answer

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      guard message.id != nil else { return nil }
      guard message.method == QuestionAsked.method else { throw .methodNotFound(message.method) }
      guard let question = try message.params.decode(QuestionAsked.self).question else {
        throw .invalidParams("There is no such permission.")
      }
      return MessageWork { [answer] in Reply.encoding(QuestionAnswered(answer: await answer(question))) }
    }
  }
}
