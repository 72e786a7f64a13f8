import CLaunchPolicy
import Testing

/// One of the architectures for which there is a filter.
enum Architecture: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case intel = "x86_64"
  case arm = "aarch64"

  var audit: UInt32 { self == .intel ? 0xc000_003e : 0xc000_00b7 }
  var machine: FilterMachine { FilterMachine(architecture: self == .intel ? LAUNCH_X86_64 : LAUNCH_AARCH64) }
  var testDescription: String { rawValue }

  var calls: [launch_call] { (0..<launch_call_count()).map { launch_call_at($0) } }

  /// The number of a call; nil where the architecture lacks it.
  func number(_ call: launch_call) -> UInt32? { UInt32(exactly: self == .intel ? call.x86_64 : call.aarch64) }

  func number(_ name: String) -> UInt32? {
    calls.first { String(cString: $0.name) == name }.flatMap(number)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The list of system calls` {
  @Test(arguments: Architecture.allCases)
  func `is what the table says, for every number`(architecture: Architecture) {
    let machine = architecture.machine
    let calls = architecture.calls.filter { architecture.number($0) != nil }
    let allowed = Set(calls.filter { $0.rule == LAUNCH_CALL_ALLOWED }.compactMap(architecture.number))
    let checked = Set(calls.filter { $0.rule == LAUNCH_CALL_CHECKED }.compactMap(architecture.number))
    #expect(allowed.isDisjoint(with: checked))
    #expect(allowed.count + checked.count == calls.count, "a number stands twice in the table")
    for number in UInt32(0)...2000 where !checked.contains(number) {
      let verdict = machine.evaluate(.init(architecture: architecture.audit, number: number))
      #expect(verdict == (allowed.contains(number) ? .allow : .fail(errno: 1)), "number \(number)")
    }
  }

  @Test(arguments: Architecture.allCases)
  func `ends a process that uses another architecture's calls`(architecture: Architecture) {
    let machine = architecture.machine
    for audit in [0, 0x4000_0003, 0xc000_003e, 0xc000_00b7, 0x4000_0028] as [UInt32] where audit != architecture.audit {
      for number in UInt32(0)...500 {
        #expect(machine.evaluate(.init(architecture: audit, number: number)) == .kill)
      }
    }
  }

  @Test func `ends a process that uses x32 calls`() {
    for number in [0x4000_0000, 0x4000_0001, 0x4000_0200, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff] as [UInt32] {
      let call = FilterMachine.Call(architecture: Architecture.intel.audit, number: number)
      #expect(Architecture.intel.machine.evaluate(call) == .kill)
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [UInt64]
    var verdict = FilterMachine.Verdict.fail(errno: 1)

    var testDescription: String { "\(name) \(arguments)" }

    static func allowed(_ name: String, _ arguments: UInt64...) -> Case {
      Case(name: name, arguments: arguments, verdict: .allow)
    }

    static func refused(_ name: String, _ arguments: UInt64...) -> Case { Case(name: name, arguments: arguments) }
  }

  static let upper: UInt64 = 1 << 32
  /// THREAD, VM, SIGHAND and FILES.
  static let thread: UInt64 = 0x10000 | 0x100 | 0x800 | 0x400
  static let ownProcess = UInt64(LAUNCH_FILTER_OWN_PROCESS)

  static let threads: [Case] = [
    .allowed("clone", thread), .allowed("clone", 0x3d0f00), .allowed("clone", upper | thread),
    .refused("clone", 0), .refused("clone", 17), .refused("clone", 0x10000), .refused("clone", 0x100 | 0x800),
    .refused("clone", 0x4100 | 17), .refused("clone", thread & ~0x400), .refused("clone", 0x3d0b00),
    .allowed("close_range", 3, 9, 0), .allowed("close_range", 3, 9, 4), .refused("close_range", 3, 9, 2),
    .refused("close_range", 3, 9, 6), .refused("close_range", 3, 9, upper | 2),
    .refused("clone", thread | 0x0002_0000), .refused("clone", thread | 0x0200_0000),
    .refused("clone", thread | 0x0400_0000), .refused("clone", thread | 0x0800_0000),
    .refused("clone", thread | 0x1000_0000), .refused("clone", thread | 0x2000_0000),
    .refused("clone", thread | 0x4000_0000),
    Case(name: "clone3", arguments: [0, 88], verdict: .fail(errno: 38)),
    .allowed("tgkill", ownProcess, 7, 6), .allowed("tgkill", upper | ownProcess, 7, 6),
    .refused("tgkill", 1, 1, 9), .refused("tgkill", 0, 1, 9), .refused("tgkill", ownProcess + 1, 1, 9),
  ]

  /// Private (128), with the clock of the day (256): WAIT and WAIT_BITSET are 0 and 9.
  static let waiting: [Case] = [
    .allowed("futex", 0x1000, 0), .allowed("futex", 0x1000, 9), .allowed("futex", 0x1000, 256),
    .allowed("futex", 0x1000, 265), .allowed("futex", 0x1000, 129), .allowed("futex", 0x1000, 393),
    .allowed("futex", 0x1000, 131), .allowed("futex", 0x1000, upper | 129), .refused("futex", 0x1000, 1),
    .refused("futex", 0x1000, 3), .refused("futex", 0x1000, 4), .refused("futex", 0x1000, 5),
    .refused("futex", 0x1000, 6), .refused("futex", 0x1000, 10), .refused("futex", 0x1000, 257),
    .refused("futex", 0x1000, 11), .refused("futex", 0x1000, upper | 1), .refused("futex", 0x1000, 512),
  ]

  static let memory: [Case] = [
    .allowed("mmap", 0, 4096, 3, 0x22), .allowed("mmap", 0, 4096, 5, 2), .allowed("mmap", 0, 4096, 0, 0x22),
    .refused("mmap", 0, 4096, 7, 0x22), .refused("mmap", 0, 4096, 7, 2), .refused("mmap", 0, 4096, 6, 2),
    .refused("mmap", 0, 4096, 5, 0x22), .refused("mmap", 0, 4096, 4, 0x20), .refused("mmap", 0, 4096, upper | 7, 2),
    .allowed("mmap", 0, 4096, 3, 0x1), .allowed("mmap", 0, 4096, 1, 0x3), .refused("mmap", 0, 4096, 3, 0x21),
    .refused("mmap", 0, 4096, 0, 0x21), .refused("mmap", 0, 4096, 3, 0x23), .refused("mmap", 0, 4096, 3, 0x40022),
    .refused("mmap", 0, 4096, 3, upper | 0x21),
    .allowed("mprotect", 0, 4096, 3), .allowed("mprotect", 0, 4096, 1), .refused("mprotect", 0, 4096, 4),
    .refused("mprotect", 0, 4096, 5), .refused("mprotect", 0, 4096, upper | 5),
  ]

  static let files: [Case] = [
    .allowed("utimensat", 3, 0), .refused("utimensat", 3, 1), .refused("utimensat", 3, upper),
    .allowed("fcntl", 0, 0), .allowed("fcntl", 0, 1030), .allowed("fcntl", 0, 1), .allowed("fcntl", 0, 2),
    .allowed("fcntl", 0, 3), .allowed("fcntl", 0, 4), .refused("fcntl", 0, 5), .refused("fcntl", 0, 6),
    .refused("fcntl", 0, 7), .refused("fcntl", 0, 36), .refused("fcntl", 0, 37), .refused("fcntl", 0, 38),
    .refused("fcntl", 0, upper | 6),
    .allowed("fcntl", 0, 1033), .allowed("fcntl", 0, 1034), .allowed("fcntl", 0, upper | 1),
    .refused("fcntl", 0, 8), .refused("fcntl", 0, 10), .refused("fcntl", 0, 15), .refused("fcntl", 0, 1024),
    .refused("fcntl", 0, 1026), .refused("fcntl", 0, 1031), .refused("fcntl", 0, upper | 8),
    .allowed("ioctl", 0, 0x5401), .allowed("ioctl", 0, 0x5413), .allowed("ioctl", 0, 0x541b),
    .allowed("ioctl", 0, 0x5421), .allowed("ioctl", 0, 0x5450), .allowed("ioctl", 0, 0x5451),
    .refused("ioctl", 0, 0x5412), .refused("ioctl", 0, 0x541c), .refused("ioctl", 0, upper | 0x5412),
    .refused("ioctl", 0, 0xc018_2101),
    .allowed("openat", 0, 1, 0, 0o6777), .allowed("openat", 0, 1, 0o100, 0o755),
    .refused("openat", 0, 1, 0o100, 0o4755),
    .refused("openat", 0, 1, 0o101, 0o2755), .refused("openat", 0, 1, 0o2000_0000, 0o4000),
    .refused("openat", 0, 1, upper | 0o100, upper | 0o6755),
    .allowed("fallocate", 3, 0, 0, 1), .allowed("fallocate", 3, upper, 0, 1), notSupported("fallocate", 3, 1),
    notSupported("fallocate", 3, 3), notSupported("fallocate", 3, 0x10), notSupported("fallocate", 3, upper | 1),
    .allowed("renameat2", 0, 1, 0, 1, 0), .allowed("renameat2", 0, 1, 0, 1, 1), .allowed("renameat2", 0, 1, 0, 1, 2),
    .refused("renameat2", 0, 1, 0, 1, 4), .refused("renameat2", 0, 1, 0, 1, 5), .refused("renameat2", 0, 1, 0, 1, 8),
    .allowed("fchmod", 3, 0o1777), .refused("fchmod", 3, 0o4755), .refused("fchmod", 3, 0o2000),
    .refused("fchmod", 3, upper | 0o6000),
  ]

  /// x86_64 alone has it.
  static let open: [Case] = [
    .allowed("open", 1, 0, 0o6777), .allowed("open", 1, 0o100, 0o755), .refused("open", 1, 0o100, 0o4755),
    .refused("open", 1, 0o2000_0000, 0o2000),
  ]

  private static func notSupported(_ name: String, _ arguments: UInt64...) -> Case {
    Case(name: name, arguments: arguments, verdict: .fail(errno: 95))
  }

  static let others: [Case] = [
    .allowed("prctl", 15), .allowed("prctl", 16), .allowed("prctl", 3), .allowed("prctl", 39), .allowed("prctl", 21),
    .allowed("prctl", 0x5356_4d41), .refused("prctl", 1), .refused("prctl", 4), .refused("prctl", 22),
    .refused("prctl", 38), .refused("prctl", upper | 4), .refused("prctl", 47),
    .allowed("prlimit64", 0, 7, 0, 0x1000), .refused("prlimit64", 1, 7, 0), .refused("prlimit64", 0, 7, 0x1000),
    .refused("prlimit64", 0, 7, upper),
    .allowed("getpriority", 0, 0), .refused("getpriority", 0, 5), .refused("getpriority", 1, 0),
    .allowed("setpriority", 0, 0, 5), .refused("setpriority", 0, 5, 5), .refused("setpriority", 2, 0, 5),
    .refused("setpriority", upper | 2, 0, 5),
  ]

  /// AF_UNIX is 1; the types are STREAM, DGRAM and SEQPACKET (1, 2, 5), with CLOEXEC and NONBLOCK.
  static let sockets: [Case] = [
    .allowed("socketpair", 1, 1, 0), .allowed("socketpair", 1, 0x80001, 0), .allowed("socketpair", 1, 0x80801, 0),
    .allowed("socketpair", upper | 1, upper | 1, upper), .refused("socketpair", 1, 2, 0),
    .refused("socketpair", 1, 5, 0), .refused("socketpair", 1, 0x80002, 0), .refused("socketpair", 1, 3, 0),
    .refused("socketpair", 2, 1, 0), .refused("socketpair", 30, 1, 0), .refused("socketpair", 0, 1, 0),
    .refused("socketpair", 1, 1, 1), .refused("socketpair", 1, 0x40001, 0), .refused("socketpair", 1, 0, 0),
    .allowed("sendto", 3, 0x1000, 1, 0, 0, 0), .refused("sendto", 3, 0x1000, 1, 0, 0x1000, 110),
    .refused("sendto", 3, 0x1000, 1, 0, upper, 110), .allowed("recvfrom", 3, 0x1000, 1, 0, 0, 0),
    .refused("recvfrom", 3, 0x1000, 1, 0, 0x1000, 0), .refused("recvfrom", 3, 0x1000, 1, 0, upper, 0),
  ]

  @Test(arguments: threads + waiting + memory + files + open + others + sockets, Architecture.allCases)
  func `decides by the arguments`(case: Case, architecture: Architecture) throws {
    guard `case`.name != "open" || architecture == .intel else { return }
    let number = try #require(architecture.number(`case`.name))
    let call = FilterMachine.Call(architecture: architecture.audit, number: number, arguments: `case`.arguments)
    #expect(architecture.machine.evaluate(call) == `case`.verdict)
  }

  /// With generated code: the cases of memory that change, and no other call of any number.
  @Test(arguments: Architecture.allCases)
  func `allows a compiler at run time memory that it writes and executes, and nothing else`(
    architecture: Architecture
  ) throws {
    let strict = architecture.machine
    let generating = FilterMachine(
      architecture: architecture == .intel ? LAUNCH_X86_64 : LAUNCH_AARCH64, generatesCode: true)
    func verdict(_ machine: FilterMachine, _ name: String, _ arguments: [UInt64]) throws -> FilterMachine.Verdict {
      let number = try #require(architecture.number(name))
      return machine.evaluate(.init(architecture: architecture.audit, number: number, arguments: arguments))
    }
    for rights in [4, 5, 6, 7] as [UInt64] {
      #expect(try verdict(generating, "mmap", [0, 4096, rights, 0x22]) == .allow)
      #expect(try verdict(generating, "mprotect", [0, 4096, rights]) == .allow)
    }
    for (rights, flags) in [(7, 2), (6, 1), (6, 2), (3, 0x21), (7, 0x21), (3, 0x40022)] as [(UInt64, UInt64)] {
      #expect(try verdict(generating, "mmap", [0, 4096, rights, flags]) == .fail(errno: 1))
    }
    for item in Self.threads + Self.waiting + Self.memory + Self.files + Self.others + Self.sockets
    where !["mmap", "mprotect"].contains(item.name) {
      let same = try verdict(strict, item.name, item.arguments)
      #expect(try verdict(generating, item.name, item.arguments) == same, "\(item)")
    }
    let changed = ["mmap", "mprotect"].map { architecture.number($0) }
    for number in UInt32(0)...2000 where !changed.contains(number) {
      let call = FilterMachine.Call(architecture: architecture.audit, number: number)
      #expect(generating.evaluate(call) == strict.evaluate(call), "number \(number)")
    }
  }

  @Test func `has a case for every checked call`() {
    let all = Self.threads + Self.waiting + Self.memory + Self.files + Self.open + Self.others + Self.sockets
    let named = Set(all.map(\.name))
    let checked = Architecture.intel.calls.filter { $0.rule == LAUNCH_CALL_CHECKED }
    #expect(Set(checked.map { String(cString: $0.name) }) == named)
  }

  @Test func `leaves the processes that wait next to nothing`() {
    let machine = FilterMachine(launch_filter_waiting())
    // ppoll, wait4, rt_sigreturn, restart_syscall, write, close, exit_group
    #if arch(x86_64)
      let architecture = Architecture.intel
      let expected: Set<UInt32> = [271, 61, 15, 219, 1, 3, 231]
    #else
      let architecture = Architecture.arm
      let expected: Set<UInt32> = [73, 260, 139, 128, 64, 57, 94]
    #endif
    let allowed = (UInt32(0)...600).filter {
      machine.evaluate(.init(architecture: architecture.audit, number: $0)) == .allow
    }
    #expect(Set(allowed) == expected)
    #expect(machine.evaluate(.init(architecture: 0, number: 1)) == .kill)
    #if arch(x86_64)
      let kill: UInt32 = 62
    #else
      let kill: UInt32 = 129
    #endif
    let child = UInt64(LAUNCH_FILTER_CHILD)
    func signals(_ arguments: UInt64...) -> FilterMachine.Verdict {
      machine.evaluate(.init(architecture: architecture.audit, number: kill, arguments: arguments))
    }
    #expect(signals(child, 9) == .allow)
    for others in [signals(child, 15), signals(child, 0), signals(child + 1, 9), signals(1, 9)] {
      #expect(others == .fail(errno: 1))
    }
  }
}
