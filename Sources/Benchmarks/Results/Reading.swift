/// What one round of a workload came to.
package struct Reading: Sendable, Equatable {
  package var value: Double
  package var p99: Double?

  package init(_ value: Double, p99: Double? = nil) {
    self.value = value
    self.p99 = p99
  }

  /// Median and 99th percentile of a series.
  package init(_ samples: Samples) { self.init(samples.median, p99: samples.percentile(99)) }
}
