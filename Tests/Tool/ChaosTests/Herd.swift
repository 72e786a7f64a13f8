import Contracts
import ExtensionHosting
import ExtensionProtocol
import Testing

/// Many hostile extensions at once, and a good one that is served all the time.
struct Herd {
  let arena: Arena

  /// - Returns: what was unexpected, and how often the good extension was served meanwhile.
  func stampede(_ count: Int, first: Int = 0) async throws -> (surprises: [String], served: Int) {
    try await withThrowingTaskGroup(of: [String].self) { group in
      let (ended, end) = AsyncStream.makeStream(of: Void.self)
      let arena = arena
      async let served = Self.serve(arena, until: ended)
      for slot in first..<(first + count) {
        let hostile = Hostile.all[slot % Hostile.all.count]
        group.addTask { [try await arena.fight(hostile, slot: slot % 1000)].compactMap(\.self) }
      }
      var surprises: [String] = []
      for try await more in group { surprises += more }
      end.finish()
      let (count, failures) = await served
      return (surprises + failures, count)
    }
  }

  private static func serve(_ arena: Arena, until ended: AsyncStream<Void>) async -> (Int, [String]) {
    let flag = Ended()
    return await withTaskGroup(of: (Int, [String])?.self) { group in
      group.addTask {
        for await _ in ended {}
        flag.set()
        return nil
      }
      group.addTask {
        var failures: [String] = []
        var count = 0
        repeat {
          do {
            let result = try await arena.serve(slot: 1)
            if result.view?.title != "Lengthy" { failures.append("the good one said \(result)") }
          } catch {
            failures.append("the good one: \(error)")
          }
          count += 1
        } while !flag.isSet
        return (count, failures)
      }
      var outcome = (0, [String]())
      for await result in group { if let result { outcome = result } }
      return outcome
    }
  }
}
