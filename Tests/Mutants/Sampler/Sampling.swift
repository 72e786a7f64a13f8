import Foundation

/// Draws places from all that there are: the same ones for the same seed and sources.
struct Sampling {
  /// SplitMix64.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }

  /// The files of Swift below the folder Sources of a root, in order.
  static func files(below root: String) -> [String] {
    let walk = FileManager.default.enumerator(atPath: "\(root)/Sources")
    var files: [String] = []
    while let path = walk?.nextObject() as? String { if path.hasSuffix(".swift") { files.append("Sources/\(path)") } }
    return files.sorted()
  }

  /// What runs in no test: what measures, and what runs while something is built.
  private static let excluded = ["Benchmarks/", "EmbeddedFiles/", "EmbeddedLauncher/", "FeatureList/"]

  /// Whether a file is sampled.
  ///
  /// - Parameter modules: names of folders, or beginnings of paths; empty takes all.
  static func isSampled(_ path: String, modules: [String]) -> Bool {
    if path.hasSuffix("/main.swift") || excluded.contains(where: { path.hasPrefix("Sources/Tool/\($0)") }) {
      return false
    }
    let parts = path.split(separator: "/").map(String.init)
    return modules.isEmpty || modules.contains { parts.contains($0) || path.hasPrefix($0) }
  }

  /// Chooses places no two of which overlap, and numbers them.
  static func choose(_ count: Int, of places: [Place], seed: UInt64) -> [Place] {
    var generator = Generator(state: seed)
    var (taken, ranges): ([Place], [String: [Range<Int>]]) = ([], [:])
    for var place in places.shuffled(using: &generator) where taken.count < count {
      guard ranges[place.path, default: []].allSatisfy({ !$0.overlaps(place.range) }) else { continue }
      ranges[place.path, default: []].append(place.range)
      place.id = taken.count + 1
      taken.append(place)
    }
    return taken
  }
}
