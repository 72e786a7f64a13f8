import ExtensionProtocol

/// `echo/measure`: the extension calls a service of the host many times and answers with what one call takes.
package struct EchoMeasure: RemoteMethod {
  /// The wire name; the host calls it.
  package static let method = "echo/measure"

  /// The call that is measured.
  package enum Service: String, Codable, Sendable {
    /// A read of one key of an app group, after the first use.
    case defaults
    /// `defaults/set` of 100 bytes.
    case defaultsWrite
    /// Writes of the present time, one after the other, for another extension that observes.
    case defaultsNotify
    /// Hears of such writes; the result is how long after they began.
    case defaultsObserve
    /// `content/execute` of one query.
    case content
    /// `auth/token` for one scope, which is cached.
    case token
    /// `data/execute` of one query.
    case data
    /// Adds tasks to a background session and hears of their end; the result is the time of each, in order.
    case sessionEvents
  }

  /// The times that the calls took.
  package struct Result: Codable, Sendable, Equatable {
    /// Nanoseconds.
    package var median: Int64
    /// Nanoseconds.
    package var p99: Int64
    /// Monotonic nanoseconds of what happened, in order.
    package var moments: [Int64]?

    /// Creates a result from nanoseconds.
    package init(median: Int64, p99: Int64) {
      self.median = median
      self.p99 = p99
    }

    /// Creates a result from the moments of the calls, in nanoseconds.
    package init(moments: [Int64]) {
      self.init(median: 0, p99: 0)
      self.moments = moments
    }
  }

  /// The service of the host that the extension calls.
  package var service: Service
  /// The number of calls.
  package var count: Int

  /// Creates a request for `count` calls.
  package init(service: Service, count: Int) {
    self.service = service
    self.count = count
  }
}
