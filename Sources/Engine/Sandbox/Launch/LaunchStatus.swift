import CLaunchPolicy

/// How an extension ended.
package enum ExtensionExit: Sendable, Hashable, Codable {
  /// It returned from main or called exit; the code is 0 to 255.
  case exited(code: Int32)
  /// A signal ended it.
  case signalled(number: Int32)
  /// The init process of the sandbox was killed, so the exit status of the extension is not known.
  case lost
}

/// What the launcher says on its control socket, in this order: `.launchFailed` alone, or `.executed` and then `.ended`.
/// A socket that ends before its last record means that the launcher itself was killed.
package enum LaunchStatus: Sendable, Hashable {
  /// The extension's first instruction did not run.
  case launchFailed(LaunchFailure)
  /// The extension's image runs. Nothing need wait for this: the extension's first answer says the same.
  case executed
  /// The extension has ended.
  case ended(ExtensionExit)
}

/// Decodes those records, whatever the sizes of the pieces that a read returns. Pure.
package struct LaunchStatusDecoder: Sendable {
  private var pending: [UInt8] = []
  private static let recordLength = MemoryLayout<launch_status>.size

  /// Creates a decoder that has read nothing.
  package init() {}

  /// Takes the next bytes of the pipe.
  ///
  /// - Returns: The records that are complete now, often none.
  /// - Throws: `statusMalformed` for anything that the launcher does not write; the pipe is of no more use then.
  package mutating func decode(_ bytes: some Sequence<UInt8>) throws(SandboxError) -> [LaunchStatus] {
    pending.append(contentsOf: bytes)
    var statuses: [LaunchStatus] = []
    var start = 0
    while pending.count - start >= Self.recordLength {
      statuses.append(try Self.record(pending[start..<start + Self.recordLength]))
      start += Self.recordLength
    }
    pending.removeFirst(start)
    return statuses
  }

  private static func word(_ index: Int, of record: ArraySlice<UInt8>) -> UInt32 {
    let start = record.startIndex + 4 * index
    var value: UInt32 = 0
    for offset in 0..<4 { value |= UInt32(record[start + offset]) << UInt32(8 * offset) }
    return value
  }

  private static func record(_ record: ArraySlice<UInt8>) throws(SandboxError) -> LaunchStatus {
    let (first, second) = (word(2, of: record), Int32(bitPattern: word(3, of: record)))
    guard word(0, of: record) == LAUNCH_STATUS_MAGIC else { throw malformed }
    switch word(1, of: record) {
    case LAUNCH_STATUS_FAILED.rawValue:
      guard let stage = LaunchStage(rawValue: first) else { throw malformed }
      return .launchFailed(LaunchFailure(stage: stage, errorNumber: second))
    case LAUNCH_STATUS_EXECUTED.rawValue:
      return .executed
    case LAUNCH_STATUS_ENDED.rawValue:
      return .ended(try exit(first, second))
    default:
      throw malformed
    }
  }

  private static func exit(_ end: UInt32, _ value: Int32) throws(SandboxError) -> ExtensionExit {
    switch end {
    case LAUNCH_END_EXITED.rawValue: .exited(code: value)
    case LAUNCH_END_SIGNALLED.rawValue: .signalled(number: value)
    case LAUNCH_END_LOST.rawValue: .lost
    default: throw malformed
    }
  }

  private static var malformed: SandboxError {
    SandboxError(
      .statusMalformed, "The launcher sent a status that this host does not know.",
      recovery: "Reinstall the host, so that it and its launcher are of one version.")
  }
}
