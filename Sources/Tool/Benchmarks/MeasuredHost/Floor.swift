import BenchmarkResults
package import CFloor
import Files
import Glibc

/// The floor: the same bytes between two C programs over pipes, measured in the same run.
package struct Floor: Sendable {
  /// The static C executable.
  package let plugin: String

  /// A request as the product sends it, with a text of 100 bytes.
  package static let request = Array(
    #"{"jsonrpc":"2.0","id":1000,"method":"echo/text","params":{"text":"\#(String(repeating: "x", count: 100))"}}"#.utf8
  )
  package static let mebibyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

  /// Nanoseconds from a start to the first answer, each.
  package func cold(count: Int) throws -> [UInt64] {
    try (0..<count).map { _ in
      var time: UInt64 = 0
      try check(floor_cold(plugin, Self.request, Self.request.count, &time))
      return time
    }
  }

  /// Nanoseconds of each round trip.
  package func roundTrips(_ body: [UInt8], count: Int, at placement: Placement) throws -> [UInt64] {
    try withPlugin(at: placement) { plugin in
      try check(floor_round_trips(&plugin, body, body.count, nil, count / 10))
      var times = [UInt64](repeating: 0, count: count)
      try check(floor_round_trips(&plugin, body, body.count, &times, count))
      return times
    }
  }

  /// Requests a second with some in flight.
  package func pipeline(inFlight: Int, count: Int, at placement: Placement) throws -> Double {
    try withPlugin(at: placement) { plugin in
      var time: UInt64 = 0
      let body = Self.request
      try check(floor_pipeline(&plugin, body, body.count, inFlight, count / 10, &time))
      try check(floor_pipeline(&plugin, body, body.count, inFlight, count, &time))
      return Double(count) / (Double(time) / 1e9)
    }
  }

  /// Nanoseconds from a program's start to its end, each.
  package static func spawn(_ command: [String], count: Int) throws -> [UInt64] {
    try (0..<count).map { _ in
      var time: UInt64 = 0
      let error = withArguments(command) { floor_spawn_and_wait(&$0, &time) }
      if error != 0 { throw BenchmarkError("\(command.joined(separator: " ")): \(SystemError(error))") }
      return time
    }
  }

  /// The most memory that a program has from its start to its end, in MiB.
  package func peakMemory(of command: [String]) throws -> Double {
    var kibibytes = 0
    let error = Self.withArguments(command) { floor_memory(plugin, &$0, &kibibytes) }
    if error != 0 { throw BenchmarkError("\(command.joined(separator: " ")): \(String(cString: strerror(error)))") }
    return Double(kibibytes) / 1024
  }

  /// Calls the body with the words of a command as C has them: pointers, and a null pointer at the end.
  package static func withArguments<Result>(
    _ command: [String], _ body: (inout [UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let words = command.map { strdup($0) }
    defer { for word in words { free(word) } }
    var pointers = words + [nil]
    return body(&pointers)
  }

  /// Starts a plugin and runs the body with it.
  package func withPlugin<Result>(
    at placement: Placement = .anywhere, _ body: (inout floor_plugin) throws -> Result
  ) throws -> Result {
    try placement.enter()
    defer { placement.leave() }
    var plugin = floor_plugin()
    try check(floor_start(self.plugin, &plugin))
    defer { floor_stop(&plugin) }
    try placement.moveHost()
    return try body(&plugin)
  }

  private func check(_ error: Int32) throws {
    if error != 0 { throw BenchmarkError("The floor failed: \(SystemError(error)).") }
  }
}
