import AppExtensions
import ExtensionHosting
import HostServices
import JSON
import JSONRPC
import Testing

@testable import ExtensionTesting

@Suite(.timeLimit(.minutes(1)))
struct `A keyboard that fails` {
  @Test func `loses the field after two seconds, and no key is lost`() async throws {
    let log = KeptLog()
    let stage = KeyboardStage(log: log)
    let handle: KeyboardProbe.Handle = { event, text, _ in
      if event.key == "b" { await waitForever() }
      text.insertText(event.key.uppercased())
      return []
    }
    try await stage.withField(handle) { session in
      #expect(try await session.press("a").failure == nil)
      let outcome = try await session.press("b")
      #expect(outcome.failure?.code == .deadlineExceeded && outcome.bySystemKeyboard)
      #expect(try await session.press("c").bySystemKeyboard)
      #expect(session.document.text == "Abc" && !session.isCustom && session.departure == nil)
    }
    #expect(log.lines.contains { $0.level == .warning && "\($0)".contains("keyboard/input") })
  }

  @Test func `throws, and the key is inserted as it is`() async throws {
    let handle: KeyboardProbe.Handle = { _, _, _ in throw ExtensionError(.handlerFailed, "No.") }
    try await KeyboardStage().withField(handle) { session in
      let outcome = try await session.press("a")
      #expect(outcome.failure?.code == .handlerFailed && session.document.text == "a")
    }
  }

  @Test func `answers with an edit that makes no sense, and none of them is applied`() async throws {
    let handle: KeyboardProbe.Handle = { _, text, _ in
      text.insertText("bad")
      text.deleteBackward(0)
      return []
    }
    try await KeyboardStage().withField(handle, for: KeyboardField(TextDocument("x"))) { session in
      let outcome = try await session.press("a")
      #expect(outcome.failure?.code == .invalidParams && session.document.text == "xa")
    }
  }

  @Test func `leaves what it had marked`() async throws {
    let handle: KeyboardProbe.Handle = { event, text, _ in
      if event.key == "!" { throw ExtensionError(.handlerFailed, "No.") }
      text.setMarkedText((text.documentContextBeforeInput ?? "") + event.key)
      return []
    }
    try await KeyboardStage().withField(handle) { session in
      #expect(try await session.press("k", "a").failure == nil)
      #expect(session.document.text == "ka" && session.document.marked == 0..<2)
      _ = try await session.press("!")
      #expect(session.document.text == "ka!" && session.document.marked == nil)
    }
  }

  @Test(
    arguments: [
      ["edits": [["select": [0, 1]]]], ["edits": [["paste": true]]], ["edits": "all"], [:], "typed",
      ["edits": [["insertText": "a"]], "candidates": [1]],
    ] as [JSONValue])
  func `cannot select, paste, or say what is no answer`(answer: JSONValue) async throws {
    let service = KeyboardService()
    let peer = AnsweringPeer(answers: [
      "keyboard/begin": [:], "keyboard/input": answer, "keyboard/end": [:],
    ])
    try await Stage(services: [service]).withPeer(peer, identity: KeyboardStage.identity) { process in
      try await service.withSession(of: process, for: KeyboardField(TextDocument("secret"))) { session in
        let outcome = try await session.press("!")
        #expect(outcome.failure != nil && session.document.text == "secret!")
        #expect(session.document.selection == 7..<7)
      }
    }
  }

  @Test func `when it begins never has the field`() async throws {
    let service = KeyboardService()
    let peer = AnsweringPeer(answers: [:])
    try await Stage(services: [service]).withPeer(peer, identity: KeyboardStage.identity) { process in
      _ = await #expect(throws: ExtensionError(.internalError, "")) {
        try await service.withSession(of: process, for: KeyboardField()) { _ in Issue.record("It has begun.") }
      }
    }
  }
}

/// A peer that shakes hands and gives the same answers every time.
private struct AnsweringPeer: MessageHandler {
  var answers: [String: JSONValue]

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    if message.method == Initialize.method {
      return MessageWork { Reply.encoding(Initialize.Result(protocolVersion: "1.0")) }
    }
    guard let answer = answers[message.method] else { return nil }
    return MessageWork { Reply.encoding(answer) }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Open access of a keyboard` {
  private static let suite = "group.com.example.test"

  @Test(
    arguments: [
      (true, .granted, true), (true, .denied, false), (true, nil, false), (false, .granted, false),
    ] as [(Bool, PermissionState?, Bool)])
  func `needs the manifest and the user`(asks: Bool, state: PermissionState?, expected: Bool) async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    let identity = asks ? KeyboardStage.identity : .testing(point: .keyboard)
    if let state { try await authority.decide(AskedPermission("open-access"), state, for: identity.id) }
    let defaults = DefaultsService(store: .inMemory([Self.suite: ["visits": .integer(41)]]))
    let stage = KeyboardStage(identity: identity, permissions: authority, services: [defaults])
    let handle: KeyboardProbe.Handle = { event, text, session in
      let suite = session.context.defaults(suiteName: Self.suite)
      text.insertText("\(try await suite.integer(forKey: "visits"))")
      do throws(ExtensionError) { try await suite.set(1, forKey: "other") } catch {
        text.insertText(" \(error.code.number)")
      }
      return []
    }
    let text = try await stage.withField(handle) { session in
      #expect(session.hasFullAccess == expected)
      let outcome = try await session.press("x")
      #expect(outcome.failure == nil)
      return session.document.text
    }
    #expect(text == (expected ? "41" : "41 -32022"))
    #expect(stage.notes.begun.first?.hasFullAccess == expected)
  }

  @Test func `that is taken back ends the keyboard under its next key`() async throws {
    let folder = try TestFolder()
    defer { folder.remove() }
    let authority = PermissionAuthority(state: folder.state)
    try await authority.decide(AskedPermission("open-access"), .granted, for: KeyboardStage.identity.id)
    let stage = KeyboardStage(permissions: authority)
    let kept = Kept<TextDocument>()
    await #expect(throws: ExtensionError(.permissionDenied, "")) {
      try await stage.withField { session in
        _ = try await session.press("a")
        try await authority.decide(AskedPermission("open-access"), .denied, for: KeyboardStage.identity.id)
        defer { kept.keep(session.document) }
        _ = try await session.press("b")
      }
    }
    // The key is for the keyboard that is started again.
    var field = KeyboardField(try #require(kept.value))
    #expect(field.document.text == "a")
    field.needsInputModeSwitchKey = true
    try await stage.withField(for: field) { session in
      #expect(!session.hasFullAccess)
      _ = try await session.press("b")
      #expect(session.document.text == "ab")
    }
  }
}
