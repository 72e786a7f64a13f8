import CLaunchPolicy

/// Evaluates a filter as the kernel does, for one system call.
struct FilterMachine {
  enum Verdict: Equatable {
    case allow
    case fail(errno: UInt32)
    case kill
    /// The program is wrong: it runs past its end, or holds an instruction that is not expected.
    case broken
  }

  struct Call {
    var architecture: UInt32
    var number: UInt32
    var arguments: [UInt64] = []
  }

  let instructions: [sock_filter]

  /// The filter of an extension.
  init(architecture: launch_architecture, generatesCode: Bool = false) {
    var room = [sock_filter](repeating: sock_filter(), count: Int(LAUNCH_FILTER_CAPACITY))
    let count = launch_filter_build(architecture, generatesCode, &room)
    instructions = Array(room[..<Int(count)])
  }

  init(_ filter: launch_filter) {
    instructions = Array(UnsafeBufferPointer(start: filter.instructions, count: Int(filter.count)))
  }

  func evaluate(_ call: Call) -> Verdict {
    var accumulator: UInt32 = 0
    var position = 0
    while instructions.indices.contains(position) {
      let instruction = instructions[position]
      position += 1
      switch instruction.code {
      case 0x20: accumulator = Self.word(instruction.k, of: call)
      case 0x54: accumulator &= instruction.k
      case 0x15: position += Int(accumulator == instruction.k ? instruction.jt : instruction.jf)
      case 0x35: position += Int(accumulator >= instruction.k ? instruction.jt : instruction.jf)
      case 0x45: position += Int(accumulator & instruction.k != 0 ? instruction.jt : instruction.jf)
      case 0x06: return Self.verdict(instruction.k)
      default: return .broken
      }
    }
    return .broken
  }

  /// The fields of seccomp_data: number, architecture, instruction pointer (two words), six arguments.
  private static func word(_ offset: UInt32, of call: Call) -> UInt32 {
    switch offset {
    case 0: return call.number
    case 4: return call.architecture
    default:
      let index = Int(offset) / 8 - 2
      let argument = call.arguments.indices.contains(index) ? call.arguments[index] : 0
      return UInt32(truncatingIfNeeded: offset % 8 == 0 ? argument : argument >> 32)
    }
  }

  private static func verdict(_ action: UInt32) -> Verdict {
    switch action & 0xffff_0000 {
    case 0x7fff_0000: .allow
    case 0x0005_0000: .fail(errno: action & 0xffff)
    case 0x8000_0000: .kill
    default: .broken
    }
  }
}
