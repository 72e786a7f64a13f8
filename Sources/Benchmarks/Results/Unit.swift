/// What a number counts, and which way is better.
package enum Unit: String, Sendable, CaseIterable {
  case milliseconds = "ms"
  case microseconds = "us"
  case requestsPerSecond = "req/s"
  case megabytesPerSecond = "MB/s"
  case mebibytes = "MiB"
  case kibibytes = "KiB"

  package var moreIsBetter: Bool { self == .requestsPerSecond || self == .megabytesPerSecond }
}
