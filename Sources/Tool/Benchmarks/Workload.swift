import BenchmarkResults

/// One thing that is measured, with its floor.
struct Workload: Sendable {
  /// As it stands in the table and in the baseline.
  let name: String
  /// One sentence without a final stop, for help.
  let summary: String
  let unit: Unit
  /// How often in a round.
  let count: Int
  let product: @Sendable (Bench, _ count: Int) async throws -> Reading
  let floor: @Sendable (Bench, _ count: Int) async throws -> Reading
  /// How its instructions are counted; `nil` for what is not.
  var instructions: InstructionCount?

  /// How many times product and floor take turns.
  static let rounds = 3

  /// Every workload, in the order of the table. Memory comes first, before others leave their traces in this process.
  static let all: [Workload] =
    memory + [dataWidgetMemory, emulatorSubscribers] + alive + cold + [warm] + roundTrips + [pipe] + payloads + spawns
    + bubblewraps + commandStart + [storeRead] + storeWrites + [
      storeNotify, storePostgreSQLWrite, storePostgreSQLNotify, sessionEvent, contentCached, contentImage,
      contentQuery, graphQLParse, dataGenerate, dataExecuteCached,
    ] + emulatorRequests + [emulatorGRPC, emulatorPush] + auth + transfers + signing

  /// Floor and product by turns, so that what disturbs the machine disturbs both.
  func run(_ bench: Bench) async throws -> Measurement {
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
