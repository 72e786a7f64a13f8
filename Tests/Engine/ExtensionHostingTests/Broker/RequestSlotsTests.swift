import ExtensionProtocol
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1))) struct `The open requests of an extension` {
  @Test func `are as many as the limit says, for each of them, again and again`() throws {
    let slots = RequestSlots(limit: 3)
    for turn in 0..<3 {
      var open = try (0..<3).map { _ in try slots.enter("a") }
      var others = try (0..<3).map { _ in try slots.enter("b") }
      for id in ["a", "b"] {
        let error = #expect(throws: ExtensionError.self, "turn \(turn)") { try slots.enter(id) }
        #expect(error?.code == .limitExceeded && error?.details["limit"] == 3)
      }
      // One that ends makes room for one.
      open.removeLast()
      open.append(try slots.enter("a"))
      #expect(throws: ExtensionError.self) { try slots.enter("a") }
      #expect(throws: ExtensionError.self) { try slots.enter("b") }
      #expect(open.count == 3 && others.count == 3)
      (open, others) = ([], [])
    }
  }

  @Test func `are none where the limit is none`() {
    #expect(throws: ExtensionError.self) { try RequestSlots(limit: 0).enter("a") }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `What arrives for a caller` {
  @Test func `is worked on in its own queue, until the caller is forgotten`() async {
    let arrivals = CallerArrivals<Int>()
    for number in 1...3 { arrivals.source(for: 7).yield(number) }
    arrivals.source(for: 8).yield(99)
    let (seen, saw) = AsyncStream.makeStream(of: Int.self)
    await withDiscardingTaskGroup { group in
      group.addTask { await arrivals.accompany(7) { saw.yield($0) } }
      var numbers: Set<Int> = []
      for await number in seen {
        numbers.insert(number)
        if numbers.count == 3 { break }
      }
      #expect(numbers == [1, 2, 3])
      arrivals.forget(7)
    }
    // The same number again is a new queue.
    arrivals.source(for: 7).yield(5)
    arrivals.forget(7)
    arrivals.forget(7)
    await arrivals.accompany(8) { number in
      #expect(number == 99)
      arrivals.forget(8)
    }
  }
}
