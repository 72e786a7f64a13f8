import EventLoop
import ExtensionProtocol
import HostServices
import Testing

@testable import AppExtensions

@Suite(.timeLimit(.minutes(1)))
struct `The events of a background session` {
  private func events(_ ids: Int64...) -> [Sessions.Event] {
    ids.map { Sessions.Event(eventID: $0, taskID: 1, type: .didComplete) }
  }

  @Test func `are handled when the reader comes back for the next one`() async throws {
    let queue = EventQueue(events(1, 2), ends: true)
    #expect(try await queue.next()?.eventID == 1)
    #expect(queue.handled(of: events(1, 2)) == [])
    #expect(try await queue.next()?.eventID == 2)
    #expect(queue.handled(of: events(1, 2)) == [1])
    #expect(try await queue.next() == nil)
    #expect(queue.handled(of: events(1, 2)) == [1, 2])
  }

  @Test func `go to the session of just this name: another spelling of an accent is another session`() {
    let owned = OwnedSessions()
    let queue = owned.queue(of: "\u{E9}")
    #expect(owned.queue(of: "\u{E9}") === queue)
    #expect(owned.queue(of: "e\u{301}") !== queue)
    owned.forget("e\u{301}")
    #expect(owned.has("\u{E9}") && !owned.has("e\u{301}"))
  }

  @Test func `are not taken twice when they come again`() async throws {
    let queue = EventQueue(events(1, 2))
    let loop = EventLoop.onThread(name: "events")
    defer { loop.stop() }
    async let acked = queue.deliver(events(1, 2, 3), on: loop)
    var seen: [Int64] = []
    while seen.last != 3, let event = try await queue.next() { seen.append(event.eventID) }
    #expect(seen == [1, 2, 3])
    // Behind the last one the reader waits; that it came back acknowledges the last.
    let reader = Task { try await queue.next() }
    #expect(await acked == [1, 2, 3])
    reader.cancel()
    await #expect(throws: ExtensionError(.cancelled, "")) { try await reader.value }
  }

  @Test func `are acknowledged at once when they come again, and taken with what is new`() async throws {
    let queue = EventQueue(events(1, 2))
    let loop = EventLoop.onThread(name: "events")
    defer { loop.stop() }
    for id in [1, 2] as [Int64] { #expect(try await queue.next()?.eventID == id) }
    let third = Task { try await queue.next() }
    for _ in 0..<2 { #expect(await queue.deliver(events(1, 2), on: loop) == [1, 2]) }
    async let acked = queue.deliver(events(2, 3), on: loop)
    #expect(try await third.value?.eventID == 3)
    let reader = Task { try await queue.next() }
    #expect(await acked == [2, 3])
    reader.cancel()
    await #expect(throws: ExtensionError(.cancelled, "")) { try await reader.value }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The background sessions of a process` {
  @Test func `keep their events when they cannot be taken up once more`() async throws {
    let stage = try SessionStage()
    try await stage.inExtension { context in
      let owned = context.session.features.feature(OwnedSessions.self)
      _ = try await context.backgroundSession("s", sharedContainer: SessionStage.group)
      for id in ["s", "t", "s"] {
        let error = await refusal { _ = try await context.backgroundSession(id, sharedContainer: "group.other") }
        #expect(error?.code == .groupNotEntitled)
        #expect(owned.has("s") && !owned.has("t"))
      }
    }
  }
}
