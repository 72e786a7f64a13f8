import Glibc

/// What the environment asks of the tests.
enum Environment {
  /// Where to write what the goldens should be.
  static let goldens = getenv("ANNEX_GOLDENS").map { String(cString: $0) }
  /// How many random services are generated from and compiled.
  static let seeds = getenv("ANNEX_SEEDS").flatMap { Int(String(cString: $0)) }
}
