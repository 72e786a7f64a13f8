/// A program whose headers ask the kernel for memory that is both written and executed: it should never be started.
package enum AlteredProgram: String, Sendable, CaseIterable {
  case executableStack, writableCode, codeBeyondTheFile

  private static let headerSize = 56

  /// Changes the table of segments of a 64-bit program.
  func alter(_ bytes: inout [UInt8]) {
    guard bytes.count > 64 else { return }
    let start = Self.number(bytes, 32, 8)
    for index in 0..<Self.number(bytes, 56, 2) {
      let segment = start + index * Self.headerSize
      guard segment + Self.headerSize <= bytes.count else { return }
      let type = Self.number(bytes, segment, 4)
      let isCode = type == 1 && bytes[segment + 4] & 1 != 0
      switch self {
      case .executableStack where type == 0x6474_e551: bytes[segment + 4] |= 1
      case .writableCode where isCode: bytes[segment + 4] |= 2
      // Some pages more: not so many that it would reach into the next segment.
      case .codeBeyondTheFile where isCode:
        let size = Self.number(bytes, segment + 40, 8) + 1 << 12
        for byte in 0..<8 { bytes[segment + 40 + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
      default: break
      }
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> Int {
    (0..<length).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
