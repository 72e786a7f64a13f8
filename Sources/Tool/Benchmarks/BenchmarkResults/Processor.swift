/// The processor that a run is measured on.
package enum Processor {
  /// The name of the first one.
  ///
  /// - Parameter description: what the kernel says, `/proc/cpuinfo`.
  package static func name(in description: String) -> String {
    for line in description.split(separator: "\n") where line.hasPrefix("model name") || line.hasPrefix("CPU part") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[line.index(after: colon)...].drop { $0 == " " }
      if !name.isEmpty { return String(name) }
    }
    return "unknown"
  }
}
