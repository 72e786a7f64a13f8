import ExtensionHosting
import ExtensionProtocol
import Foundation
import Testing

/// Thousands of launches, good and bad ones: `make soak`. The number is in the variable `SOAK_LAUNCHES`.
@Suite(.timeLimit(.minutes(120)), .enabled(if: Soak.launches > 0))
struct `A host that runs for long` {
  @Test func `keeps nothing of thousands of extensions`() async throws {
    let soak = Soak(herd: Herd(arena: try Arena()))
    try await soak.round(from: 0)
    let before = Leftovers()
    var launches = Soak.step
    let start = ContinuousClock.now
    while launches < Soak.launches {
      try await soak.round(from: launches)
      launches += Soak.step
      let now = Leftovers()
      let seconds = Int((ContinuousClock.now - start) / .seconds(1))
      FileHandle.standardError.write(
        Data(
          """
          \(launches) of \(Soak.launches) launches, \(seconds) s: \(now.descriptors) descriptors (\(before.descriptors)), \
          \(now.memory >> 10) KiB (\(before.memory >> 10)), \(now.children) children, \(now.mounts) mounts

          """.utf8))
      #expect(now.complaints(since: before) == [])
    }
    #expect(Leftovers.processes(of: soak.herd.arena.path) == [])
  }
}

struct Soak {
  let herd: Herd

  static let launches = ProcessInfo.processInfo.environment["SOAK_LAUNCHES"].flatMap { Int($0) } ?? 0
  /// Launches of one round, and at once.
  static let step = 20

  func round(from first: Int) async throws {
    let (surprises, served) = try await herd.stampede(Self.step, first: first)
    #expect(surprises == [])
    #expect(served > 0)
    #expect(herd.arena.scratchFolders == [])
  }
}
