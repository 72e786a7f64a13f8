import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionTesting

/// A keyboard whose answers come when the field is another turn's already.
@Suite(.timeLimit(.minutes(1)))
struct `A keyboard that is late` {
  private static func traits(secure: Bool) -> KeyboardTraits {
    var traits = KeyboardTraits()
    traits.isSecureTextEntry = secure
    return traits
  }

  /// A peer that writes what is typed in capitals. Its second turn begins, and its key "!" is answered, only with a
  /// failure, once the gate is open; the turn with an answer, where there is one.
  private final class Peer: MessageHandler {
    let gate = Gate()
    let begun = Mutex(0)
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
    private let late: JSONValue?

    init(late: JSONValue? = nil) { self.late = late }

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      switch message.method {
      case Initialize.method:
        return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
      case "keyboard/begin":
        let turn = begun.withLock { count in
          count += 1
          return count
        }
        return MessageWork {
          guard turn == 2 else { return Reply.encoding([:] as JSONValue) }
          guard let late = self.late else { try await self.fail() }
          await self.hold()
          return Reply.encoding(late)
        }
      case "keyboard/input":
        let key = try message.params.decode(Keyboard.Input.self).event.key
        return MessageWork {
          if key == "!" { try await self.fail() }
          return Reply.encoding(["edits": [["insertText": .string(key.uppercased())]]] as JSONValue)
        }
      case "keyboard/end": return MessageWork { Reply.encoding([:] as JSONValue) }
      default: return nil
      }
    }

    private func hold() async {
      isHeld.yield()
      await gate.wait()
    }

    private func fail() async throws -> Never {
      await hold()
      throw ExtensionError(.handlerFailed, "Late.")
    }
  }

  private func withSession(
    _ peer: Peer, _ body: @escaping @Sendable (KeyboardSession) async throws -> Void
  ) async throws {
    let service = KeyboardService()
    try await Stage(services: [service]).withPeer(peer, identity: KeyboardStage.identity) { process in
      try await service.withSession(of: process, for: KeyboardField(), body)
    }
  }

  @Test func `and fails to begin an earlier turn keeps the present one`() async throws {
    let peer = Peer()
    try await withSession(peer) { session in
      try await session.setTraits(Self.traits(secure: true))
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          await #expect(throws: ExtensionError(.handlerFailed, "")) {
            try await session.setTraits(Self.traits(secure: false))
          }
        }
        for await _ in peer.held { break }
        try await session.setTraits(Self.traits(secure: true))
        try await session.setTraits(Self.traits(secure: false))
        peer.gate.open()
      }
      #expect(session.isCustom && peer.begun.withLock { $0 } == 3)
      #expect(try await session.press("a").bySystemKeyboard == false)
      #expect(session.document.text == "A")
    }
  }

  @Test(arguments: [true, false])
  func `and begins an earlier turn says nothing of what came after it`(isBack: Bool) async throws {
    let peer = Peer(late: ["primaryLanguage": "fr", "hasDictationKey": true])
    try await withSession(peer) { session in
      try await session.setTraits(Self.traits(secure: true))
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask { try await session.setTraits(Self.traits(secure: false)) }
        for await _ in peer.held { break }
        try await session.setTraits(Self.traits(secure: true))
        if isBack { try await session.setTraits(Self.traits(secure: false)) }
        peer.gate.open()
      }
      #expect(session.isCustom == isBack && session.primaryLanguage == nil && !session.hasDictationKey)
    }
  }

  @Test func `and fails to answer a key of an earlier turn keeps the present one`() async throws {
    let peer = Peer()
    peer.begun.withLock { $0 = 2 }
    try await withSession(peer) { session in
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          let outcome = try await session.press("!")
          #expect(outcome.bySystemKeyboard && outcome.failure?.code == .handlerFailed)
        }
        for await _ in peer.held { break }
        try await session.setTraits(Self.traits(secure: true))
        try await session.setTraits(Self.traits(secure: false))
        peer.gate.open()
      }
      #expect(session.isCustom && session.document.text == "!")
      #expect(try await session.press("a").bySystemKeyboard == false)
      #expect(session.document.text == "!A")
    }
  }
}
