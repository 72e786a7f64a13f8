internal import Glibc

extension ContentClock {
  /// The clock of this machine.
  package static let system = ContentClock(
    now: { time(nil) }, sleep: { try await Task.sleep(for: .seconds($0)) }, random: { Double.random(in: 0...1) })
}
