package import BenchmarkResults

/// One thing that is measured, with its floor.
package struct Workload: Sendable {
  /// As it stands in the table and in the baseline.
  package let name: String
  /// One sentence without a final stop, for help.
  package let summary: String
  package let unit: Unit
  /// How often in a round.
  package let count: Int
  package let product: @Sendable (Bench, _ count: Int) async throws -> Reading
  package let floor: @Sendable (Bench, _ count: Int) async throws -> Reading
  /// How its instructions are counted; `nil` for what is not.
  package var instructions: InstructionCount?

  /// How many times product and floor take turns.
  package static let rounds = 3

  /// Creates a workload.
  package init(
    name: String, summary: String, unit: Unit, count: Int,
    product: @escaping @Sendable (Bench, _ count: Int) async throws -> Reading,
    floor: @escaping @Sendable (Bench, _ count: Int) async throws -> Reading
  ) {
    (self.name, self.summary, self.unit, self.count) = (name, summary, unit, count)
    (self.product, self.floor) = (product, floor)
  }

  /// Floor and product by turns, so that what disturbs the machine disturbs both.
  package func run(_ bench: Bench) async throws -> Measurement {
    var rounds: [(product: Reading, floor: Reading)] = []
    for _ in 0..<Self.rounds {
      let floor = try await floor(bench, count)
      rounds.append((try await product(bench, count), floor))
    }
    var measurement = Measurement(workload: name, unit: unit, rounds: rounds)
    measurement.instructions = try instructions?.measure(bench)
    return measurement
  }
}
