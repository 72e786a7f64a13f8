import Glibc

/// Whether the machine is short of memory: tasks waited for it during more than a tenth of the last ten seconds, or less
/// than a twentieth of it is available.
enum MemoryPressure {
  static var isHigh: Bool {
    if let stalled = stalled(text("/proc/pressure/memory")), stalled > 10 { return true }
    return available(text("/proc/meminfo")).map { $0 < 0.05 } ?? false
  }

  /// Returns the percentage of the last ten seconds in which a task waited for memory; `nil` when the kernel does not
  /// report it.
  static func stalled(_ pressure: String) -> Double? {
    for line in pressure.split(separator: "\n") where line.hasPrefix("some ") {
      for word in line.split(separator: " ") where word.hasPrefix("avg10=") { return Double(word.dropFirst(6)) }
    }
    return nil
  }

  /// The part of all memory that is available, between 0 and 1.
  static func available(_ meminfo: String) -> Double? {
    var values: [Substring: Double] = [:]
    for line in meminfo.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count > 1 { values[words[0]] = Double(words[1]) }
    }
    guard let total = values["MemTotal:"], total > 0, let available = values["MemAvailable:"] else { return nil }
    return available / total
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
