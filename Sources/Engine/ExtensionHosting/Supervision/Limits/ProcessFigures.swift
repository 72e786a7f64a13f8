/// Parses files of `/proc/<pid>`. Pure: returns `nil` for bytes of another form.
enum ProcessFigures {
  /// `statm`, its first three numbers.
  struct Pages: Equatable {
    /// The size of the address space; 0 for a thread that has ended.
    var size: UInt64
    /// In memory now.
    var resident: UInt64
    /// The part of these pages that belongs to a file or shared memory.
    var shared: UInt64

    init?(_ text: some Collection<UInt8>) {
      let fields = text.split(separator: UInt8(ascii: " "), maxSplits: 3)
      guard fields.count > 3, let size = number(fields[0]), let resident = number(fields[1]),
        let shared = number(fields[2]), shared <= resident
      else { return nil }
      self.size = size
      self.resident = resident
      self.shared = shared
    }
  }

  /// `stat`, of which the name in parentheses may hold anything.
  struct Times: Equatable {
    /// Ticks in the process and in the kernel for it, of all threads.
    var ticks: UInt64
    var threads: UInt64
    /// When the process started, in ticks since the start of the machine.
    var startTime: UInt64

    init?(_ text: some BidirectionalCollection<UInt8>) {
      guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
      // What follows the name begins with the third field.
      let fields = text[text.index(after: end)...].split(separator: UInt8(ascii: " "), maxSplits: 20)
      guard fields.count > 19, let user = number(fields[11]), let system = number(fields[12]),
        let threads = number(fields[17]), let startTime = number(fields[19])
      else { return nil }
      ticks = user &+ system
      self.threads = threads
      self.startTime = startTime
    }
  }

  /// `status`: memory that only memory or swap can hold, with the tables that the kernel keeps for it, in bytes.
  static func footprint(_ text: some Collection<UInt8>) -> UInt64? {
    var sum: UInt64 = 0
    var isKnown = false
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard names.contains(where: { line.starts(with: $0.utf8) }) else { continue }
      let value = line.drop { !digits.contains($0) }.prefix { digits.contains($0) }
      guard let kibibytes = number(value) else { return nil }
      sum &+= kibibytes << 10
      isKnown = true
    }
    return isKnown ? sum : nil
  }

  /// The numbers of `task/<tid>/children`, in order.
  static func children(_ text: some Collection<UInt8>) -> [Int32] {
    text.split(separator: UInt8(ascii: " ")).compactMap { number($0).flatMap(Int32.init(exactly:)) }
  }

  private static let names = ["RssAnon:", "RssShmem:", "VmSwap:", "VmPTE:"]
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func number(_ text: some Collection<UInt8>) -> UInt64? {
    UInt64(String(decoding: text, as: UTF8.self))
  }
}
