import ExtensionProtocol
import Synchronization

/// Counts the calls of one process while it runs; nothing but memory is touched.
final class CallRecorder: Sendable {
  enum Direction: Sendable {
    /// A call of the host.
    case call
    /// A call that the host serves.
    case served
  }

  /// The methods of one direction, the last used one first looked at.
  private struct Table {
    var names: [String] = []
    var methods: [ExtensionStatistics.Method] = []
    var last = 0

    mutating func index(of name: String) -> Int {
      if last < names.count, names[last] == name { return last }
      if let found = names.firstIndex(of: name) {
        last = found
        return found
      }
      guard names.count < ExtensionStatistics.methodLimit || name == "other" else { return index(of: "other") }
      names.append(name)
      methods.append(ExtensionStatistics.Method())
      last = names.count - 1
      return last
    }

    var dictionary: [String: ExtensionStatistics.Method] {
      Dictionary(zip(names, methods), uniquingKeysWith: { first, _ in first })
    }
  }

  private struct State {
    var calls = Table()
    var served = Table()
    var rest = ExtensionStatistics()
  }

  private let state = Mutex(State())
  private let meter: PointMeter

  /// - Parameters:
  ///   - meter: counts the same for the host.
  ///   - point: the short name of the extension's point.
  init(for meter: HostMeter, point: String) {
    self.meter = meter.meter(ofPoint: point)
  }

  /// Counts one call that has ended; times are the loop's, ``EventLoop/time``.
  func record(_ direction: Direction, _ method: String, since start: UInt64, at now: UInt64, failed: Bool) {
    let time = now > start ? now - start : 0
    meter.call(direction, took: time, failed: failed)
    state.withLock { state in
      switch direction {
      case .call: Self.add(time, failed, method, to: &state.calls)
      case .served: Self.add(time, failed, method, to: &state.served)
      }
    }
  }

  private static func add(_ time: UInt64, _ failed: Bool, _ method: String, to table: inout Table) {
    let index = table.index(of: method)
    table.methods[index].latency.add(nanoseconds: time)
    if failed { table.methods[index].errors += 1 }
  }

  /// Changes what is not about methods.
  func count(_ body: (inout ExtensionStatistics) -> Void) { state.withLock { body(&$0.rest) } }

  /// Returns what was counted since the last call, and resets the counters.
  func take() -> ExtensionStatistics {
    state.withLock { state in
      var statistics = state.rest
      statistics.calls = state.calls.dictionary
      statistics.served = state.served.dictionary
      state = State()
      return statistics
    }
  }
}
