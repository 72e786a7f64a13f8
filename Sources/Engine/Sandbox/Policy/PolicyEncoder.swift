import CLaunchPolicy

/// Writes the policy of the launcher: a header, four tables, then the strings.
struct PolicyEncoder {
  private var header = launch_policy()
  private var tables: [UInt8] = []
  private var strings: [UInt8] = []
  private var offsets: [[UInt8]: UInt32] = [:]
  /// The offset of the strings. They follow the tables, whose lengths are known first, so an offset is final when it is
  /// written.
  private let stringStart: Int

  /// - Throws: `policyInvalid` when the policy is larger than a launcher accepts, or a string holds a zero byte.
  static func encode(_ plan: LaunchPlan.Contents) throws(SandboxError) -> [UInt8] {
    let tables =
      4 * plan.arguments.count + 4 * plan.environment.count + MemoryLayout<launch_path>.size * plan.paths.count
      + MemoryLayout<launch_limit>.size * plan.limits.count + 8
    var encoder = PolicyEncoder(stringStart: MemoryLayout<launch_policy>.size + tables)
    try encoder.write(plan)
    let bytes = encoder.bytes()
    let counts = [plan.arguments.count, plan.environment.count, plan.paths.count]
    guard bytes.count <= Int(LAUNCH_POLICY_MAXIMUM_LENGTH), (counts.max() ?? 0) <= Int(LAUNCH_POLICY_MAXIMUM_COUNT)
    else {
      throw SandboxError(
        .policyInvalid, "The arguments, the environment and the paths of an extension are too many.",
        recovery: "Give it fewer or shorter ones: a policy holds 1 MiB and 1024 of each.")
    }
    return bytes
  }

  private init(stringStart: Int) { self.stringStart = stringStart }

  private mutating func write(_ plan: LaunchPlan.Contents) throws(SandboxError) {
    header.magic = LAUNCH_POLICY_MAGIC
    header.version = LAUNCH_POLICY_VERSION
    header.facilities = plan.facilities.rawValue
    header.user_id = plan.userID
    header.group_id = plan.groupID
    header.landlock_abi = plan.landlockVersion
    header.executable = try string(plan.executable)
    header.working_directory = try string(plan.workingDirectory)
    (header.arguments, header.argument_count) = try table(plan.arguments)
    (header.environment, header.environment_count) = try table(plan.environment)
    header.paths = tableStart
    header.path_count = UInt32(plan.paths.count)
    for entry in plan.paths {
      append(entry.kind)
      append(try string(entry.path))
      append(try entry.target.map { (target) throws(SandboxError) in try string(target) } ?? 0)
    }
    if tables.count % 8 != MemoryLayout<launch_policy>.size % 8 { append(0) }
    header.limits = tableStart
    header.limit_count = UInt32(plan.limits.count)
    for limit in plan.limits {
      append(limit.resource)
      append(0)
      append(UInt32(truncatingIfNeeded: limit.value))
      append(UInt32(truncatingIfNeeded: limit.value >> 32))
    }
  }

  private var tableStart: UInt32 { UInt32(MemoryLayout<launch_policy>.size + tables.count) }

  private mutating func append(_ word: UInt32) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { tables.append(UInt8(truncatingIfNeeded: word >> shift)) }
  }

  private mutating func table(_ texts: [String]) throws(SandboxError) -> (offset: UInt32, count: UInt32) {
    let start = tableStart
    for text in texts { append(try string(text)) }
    return (start, UInt32(texts.count))
  }

  /// Returns the offset of a string. Those of the same bytes are stored once: two spellings of an accent are two strings.
  private mutating func string(_ text: String) throws(SandboxError) -> UInt32 {
    let bytes = Array(text.utf8)
    if let offset = offsets[bytes] { return offset }
    guard !bytes.contains(0) else {
      throw SandboxError(
        .policyInvalid, "An argument, a path or an environment value holds a zero byte.",
        recovery: "Remove the zero byte: a program could never see what follows it.")
    }
    let offset = UInt32(stringStart + strings.count)
    strings.append(contentsOf: bytes)
    strings.append(0)
    offsets[bytes] = offset
    return offset
  }

  private func bytes() -> [UInt8] {
    var header = header
    header.strings = UInt32(stringStart)
    header.length = UInt32(stringStart + strings.count)
    let head = unsafe withUnsafeBytes(of: header) { unsafe Array($0) }
    let gap = [UInt8](repeating: 0, count: stringStart - head.count - tables.count)
    return head + tables + gap + strings
  }
}
