import AppExtensions
import ExtensionHosting
import JSON
import JSONRPC
import Synchronization
import Testing

@testable import ExtensionTesting
@testable import HostServices

/// A keyboard that has a field more than once, and what each turn brings.
@Suite(.timeLimit(.minutes(1)))
struct `A turn of a keyboard` {
  private static func traits(secure: Bool) -> KeyboardTraits {
    var traits = KeyboardTraits()
    traits.isSecureTextEntry = secure
    return traits
  }

  /// A peer that begins its turns as a test says, writes in capitals, and answers its key "!" once the gate is open.
  private final class Peer: MessageHandler {
    let gate = Gate()
    let (held, isHeld) = AsyncStream.makeStream(of: Void.self)
    private let begins: Mutex<[JSONValue]>

    /// - Parameter begins: the answers to `keyboard/begin`, one for each turn; afterwards they are empty.
    init(_ begins: JSONValue...) { self.begins = Mutex(begins) }

    func accept(
      _ message: borrowing IncomingMessage, on connection: Connection
    ) throws(ErrorObject) -> MessageWork? {
      switch message.method {
      case Initialize.method:
        return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
      case "keyboard/begin":
        let answer: JSONValue = begins.withLock { $0.isEmpty ? [:] : $0.removeFirst() }
        return MessageWork { Reply.encoding(answer) }
      case "keyboard/input":
        let key = try message.params.decode(Keyboard.Input.self).event.key
        return MessageWork {
          if key == "!" {
            self.isHeld.yield()
            await self.gate.wait()
          }
          let answer: JSONValue = [
            "edits": [["insertText": .string(key.uppercased())], ["insertText": "."]], "candidates": ["one"],
          ]
          return Reply.encoding(answer)
        }
      case "keyboard/end": return MessageWork { Reply.encoding([:] as JSONValue) }
      default: return nil
      }
    }
  }

  private func withSession(
    _ peer: Peer, for field: KeyboardField = KeyboardField(),
    _ body: @escaping @Sendable (KeyboardSession) async throws -> Void
  ) async throws {
    let service = KeyboardService()
    try await Stage(services: [service]).withPeer(peer, identity: KeyboardStage.identity) { process in
      try await service.withSession(of: process, for: field, body)
    }
  }

  @Test func `has the language and the dictation key that its beginning names`() async throws {
    var field = KeyboardField()
    field.primaryLanguage = "en-US"
    try await withSession(Peer(["primaryLanguage": "fr", "hasDictationKey": true]), for: field) { session in
      #expect(session.primaryLanguage == "fr" && session.hasDictationKey)
      try await session.setTraits(Self.traits(secure: true))
      #expect(!session.hasDictationKey)
      // The second turn names no key.
      try await session.setTraits(Self.traits(secure: false))
      #expect(session.isCustom && !session.hasDictationKey)
    }
    try await withSession(Peer(), for: field) { session in
      #expect(session.primaryLanguage == "en-US" && !session.hasDictationKey)
    }
  }

  @Test func `does not begin in a language that is none`() async throws {
    await #expect(throws: ExtensionError(.invalidParams, "")) {
      try await withSession(Peer(["primaryLanguage": "de CH"])) { _ in Issue.record("It has begun.") }
    }
    try await withSession(Peer([:], ["primaryLanguage": "d"])) { session in
      try await session.setTraits(Self.traits(secure: true))
      await #expect(throws: ExtensionError(.invalidParams, "")) {
        try await session.setTraits(Self.traits(secure: false))
      }
      #expect(!session.isCustom && session.departure == nil && session.primaryLanguage == nil)
      #expect(try await session.press("a").bySystemKeyboard)
      #expect(session.document.text == "a")
      // It failed, so the field stays with the system's.
      try await session.setTraits(Self.traits(secure: false))
      #expect(!session.isCustom)
    }
  }

  @Test func `does not show the list that the turn before asked for`() async throws {
    try await withSession(Peer()) { session in
      try session.askForInputModeList()
      try await session.setTraits(Self.traits(secure: true))
      try await session.setTraits(Self.traits(secure: false))
      let outcome = try await session.press("a")
      #expect(!outcome.wantsInputModeList && !outcome.bySystemKeyboard)
    }
  }

  @Test func `brings nothing to a key of the turn before`() async throws {
    let peer = Peer()
    try await withSession(peer) { session in
      try await withThrowingDiscardingTaskGroup { group in
        group.addTask {
          let outcome = try await session.press("!")
          #expect(outcome == KeyboardSession.Outcome(bySystemKeyboard: true))
        }
        for await _ in peer.held { break }
        try await session.setTraits(Self.traits(secure: true))
        try await session.setTraits(Self.traits(secure: false))
        peer.gate.open()
      }
      #expect(session.isCustom && session.document.text == "!")
      let next = try await session.press("a")
      #expect(next == KeyboardSession.Outcome(candidates: ["one"]))
      #expect(session.document.text == "!A.")
    }
  }

  @Test func `goes on after a key that was given up`() async throws {
    let peer = Peer()
    try await withSession(peer) { session in
      let pressing = Task { try await session.press("!") }
      for await _ in peer.held { break }
      pressing.cancel()
      await #expect(throws: ExtensionError(.cancelled, "")) { try await pressing.value }
      #expect(session.isCustom && session.document.text == "")
      peer.gate.open()
      let next = try await session.press("a")
      #expect(!next.bySystemKeyboard && session.document.text == "A.")
    }
  }

  @Test func `is over with its field`() async throws {
    let kept = Kept<KeyboardSession>()
    try await withSession(Peer()) { session in
      _ = try await session.press("a")
      kept.keep(session)
    }
    let session = try #require(kept.value)
    #expect(!session.isCustom && session.departure == nil)
    await #expect(throws: ExtensionError(.requestUnknown, "")) { try await session.press("b") }
    await #expect(throws: ExtensionError(.requestUnknown, "")) {
      try await session.setTraits(Self.traits(secure: true))
    }
    #expect(session.document.text == "A.")
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Open access that is taken back` {
  private static let asked = AskedPermission("open-access")

  private func withAuthority(_ body: (PermissionAuthority) async throws -> Void) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    try await authority.decide(Self.asked, .granted, for: KeyboardStage.identity.id)
    try await body(authority)
  }

  @Test func `while a key is on its way leaves the key to the next keyboard`() async throws {
    try await withAuthority { authority in
      let handle: KeyboardProbe.Handle = { event, text, _ in
        if event.key == "b" {
          try await authority.decide(Self.asked, .denied, for: KeyboardStage.identity.id)
          await waitForever()
        }
        text.insertText(event.key)
        return []
      }
      let kept = Kept<(ExtensionError?, String)>()
      await #expect(throws: ExtensionError(.permissionDenied, "")) {
        try await KeyboardStage(permissions: authority).withField(handle) { session in
          _ = try await session.press("a")
          let error = await #expect(throws: ExtensionError.self) { _ = try await session.press("b") }
          kept.keep((error, session.document.text))
          throw error ?? ExtensionError(.internalError, "")
        }
      }
      let (error, text) = try #require(kept.value)
      #expect(error?.code == .permissionDenied && error?.details["permission"] == "open-access")
      #expect(error?.details["extension"] == .string(KeyboardStage.identity.id))
      #expect(text == "a")
    }
  }

  @Test func `does not keep a key from the system's keyboard`() async throws {
    try await withAuthority { authority in
      let text = try await KeyboardStage(permissions: authority).withField { session in
        var traits = KeyboardTraits()
        traits.isSecureTextEntry = true
        try await session.setTraits(traits)
        try await authority.decide(Self.asked, .denied, for: KeyboardStage.identity.id)
        #expect(try await session.press("b").bySystemKeyboard)
        return session.document.text
      }
      #expect(text == "b")
    }
  }

  @Test func `is nothing that a keyboard without it has lost`() async throws {
    try await withAuthority { authority in
      try await authority.decide(Self.asked, .denied, for: KeyboardStage.identity.id)
      try await KeyboardStage(permissions: authority).withField { session in
        #expect(!session.hasFullAccess)
        let outcome = try await session.press("a")
        #expect(outcome == KeyboardSession.Outcome() && session.document.text == "a")
      }
    }
  }
}
