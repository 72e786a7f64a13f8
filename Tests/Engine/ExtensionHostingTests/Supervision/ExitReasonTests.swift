import ExtensionProtocol
import Glibc
import JSON
import JSONRPC
import PropertyList
import Sandbox
import Testing

@testable import ExtensionHosting

/// How a process ended, in words and in figures.
@Suite(.timeLimit(.minutes(1)))
struct `The reason of an end` {
  private static let mebibyte: UInt64 = 1 << 20
  private static let excess = DiskExcess(folder: "/c", used: 2 << 20, ceiling: 1 << 20, unit: .bytes)

  private struct Case {
    let reason: ExitReason
    let kind: String
    let words: String
    var measure: HealthRecord.Measure?
    var details: [String: JSONValue] = [:]
    var isLimit = false
    let failure: FailureKind
  }

  private static let cases = [
    Case(
      reason: .exited(0), kind: "exited", words: "exited without an error (status 0)", details: ["status": 0],
      failure: .exited),
    Case(reason: .exited(3), kind: "exited", words: "exited with status 3", details: ["status": 3], failure: .exited),
    Case(
      reason: .crashed(SIGSEGV), kind: "crashed", words: "crashed with SIGSEGV (bad memory access)",
      details: ["signal": 11], failure: .crashed),
    Case(
      reason: .crashed(64), kind: "crashed", words: "crashed with signal 64", details: ["signal": 64], failure: .crashed
    ),
    Case(
      reason: .crashedNearCeiling(SIGABRT, used: 31 << 20, ceiling: 32 << 20), kind: "crashed",
      words: "crashed with SIGABRT (abort), after it had used 31 MiB of memory with a ceiling of 32 MiB",
      measure: .init(figure: 31 << 20, ceiling: 32 << 20, unit: "bytes"), details: ["signal": 6], failure: .crashed),
    Case(
      reason: .launchFailed(stage: "mounts", errno: ENOENT), kind: "launchFailed",
      words: "could not be started: mounts: No such file or directory", details: ["stage": "mounts", "errno": 2],
      failure: .launchFailed),
    Case(
      reason: .memory(used: mebibyte, ceiling: mebibyte), kind: "memory",
      words: "was ended for its memory: it wanted more than the 1 MiB that are allowed",
      measure: .init(figure: 1 << 20, ceiling: 1 << 20, unit: "bytes"), isLimit: true, failure: .memory),
    Case(
      reason: .memory(used: mebibyte + 1, ceiling: mebibyte), kind: "memory",
      words: "was ended for its memory: it used 1 MiB, and 1 MiB are allowed",
      measure: .init(figure: (1 << 20) + 1, ceiling: 1 << 20, unit: "bytes"), isLimit: true, failure: .memory),
    Case(
      reason: .cpu(used: .milliseconds(1_540), ceiling: .seconds(1), isIdle: true), kind: "cpu",
      words: "was ended for its processor time: it used 1.5 s while no request was open, and 1 s are allowed",
      measure: .init(figure: 1_540, ceiling: 1_000, unit: "milliseconds"), isLimit: true, failure: .cpu),
    Case(
      reason: .cpu(used: .milliseconds(1_560), ceiling: .seconds(1), isIdle: false), kind: "cpu",
      words: "was ended for its processor time: it used 1.6 s for one request, and 1 s are allowed",
      measure: .init(figure: 1_560, ceiling: 1_000, unit: "milliseconds"), isLimit: true, failure: .cpu),
    Case(
      reason: .diskQuota(excess), kind: "diskQuota",
      words: "was ended for its files: /c holds 2 MiB of files, and 1 MiB are allowed",
      measure: .init(figure: 2 << 20, ceiling: 1 << 20, unit: "bytes"), details: ["folder": "/c"], isLimit: true,
      failure: .diskQuota),
    Case(
      reason: .threads(used: 9, ceiling: 8), kind: "threads",
      words: "was ended for its threads: it had 9, and 8 are allowed",
      measure: .init(figure: 9, ceiling: 8, unit: "threads"), isLimit: true, failure: .threads),
    Case(
      reason: .hostMemory(held: 3 << 20, ceiling: 2 << 20), kind: "hostMemory",
      words: "was ended for the host's memory: it held 3 MiB of it, and 2 MiB are allowed",
      measure: .init(figure: 3 << 20, ceiling: 2 << 20, unit: "bytes"), isLimit: true, failure: .hostMemory),
    Case(
      reason: .handshakeTimeout, kind: "handshakeTimeout",
      words: "was ended because it did not answer the handshake in time", failure: .handshakeTimeout),
    Case(reason: .watchdog("why"), kind: "watchdog", words: "was ended by the watchdog: why", failure: .hung),
    Case(reason: .stopped("why"), kind: "stopped", words: "was stopped by the host: why", failure: .hung),
    Case(reason: .closedOutput, kind: "closedOutput", words: "closed its standard output", failure: .hungUp),
    Case(
      reason: .sandboxEnded, kind: "sandboxEnded",
      words: "is gone with its sandbox, which something else than the host ended", failure: .hungUp),
    Case(reason: .unknown, kind: "unknown", words: "is gone", failure: .hungUp),
  ]

  @Test(arguments: cases.indices) func `has its own words, figures and details`(index: Int) {
    let (one, reason) = (Self.cases[index], Self.cases[index].reason)
    #expect(reason.description == one.words && reason.kind == one.kind && reason.isLimit == one.isLimit)
    #expect(reason.measure == one.measure && reason.failureKind == one.failure)
    var details = one.details
    details["reason"] = .string(one.kind)
    if let measure = one.measure {
      details["figure"] = .integer(measure.figure)
      details["ceiling"] = .integer(measure.ceiling)
      details["unit"] = .string(measure.unit)
    }
    #expect(reason.details == details)
    // The same as it is kept.
    var finding = Finding(.crashed, .peerExited, "It ended.")
    finding.reason = reason
    let failure = HealthRecord.Failure(finding, version: "2")
    #expect(failure.reason == one.words && failure.exit == one.kind && failure.measure == one.measure)
    #expect(failure.status.map { .integer(Int64($0)) } == details["status"])
    #expect(failure.signal.map { .integer(Int64($0)) } == details["signal"])
    #expect(failure.errno.map { .integer(Int64($0)) } == details["errno"])
    #expect(failure.stage.map { .string($0) } == details["stage"])
    #expect(failure.folder.map { .string($0) } == details["folder"] && failure.version == "2")
  }

  @Test func `comes before other facts in the error of a finding, with what was seen beside it`() {
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    var finding = Finding(.exited, .peerExited, "It ended.", method: "clock/strike")
    finding.details = ["reason": "peerClosed", "extension": "another", "other": 1]
    var details: [String: JSONValue] = ["reason": "peerClosed", "extension": "com.example.notes.clock", "other": 1]
    #expect(finding.error(of: identity).details == details)
    #expect(HealthRecord.Failure(finding, version: nil).recovery == ExtensionError.Code.peerExited.recovery)
    finding.reason = .exited(3)
    (finding.recovery, finding.wire, finding.standardError) = ("Do.", "It sent noise.", ["a", "b"])
    details.merge(["reason": "exited", "status": 3, "wire": "It sent noise.", "standardError": ["a", "b"]]) { $1 }
    let error = finding.error(of: identity)
    #expect(error.details == details && error.code == .peerExited && error.message == "It ended.")
    #expect(error.recovery == "Do." && !error.isClaim)
    let failure = HealthRecord.Failure(finding, version: nil)
    #expect(failure.kind == .exited && failure.method == "clock/strike" && failure.recovery == "Do.")
    #expect(failure.wire == "It sent noise." && failure.standardError == ["a", "b"] && failure.version == nil)
  }

  @Test func `counts bytes in MiB with one decimal, and in KiB below one`() {
    for (bytes, text) in [
      (0, "0 KiB"), (1, "1 KiB"), (1_024, "1 KiB"), (1_025, "2 KiB"), ((1 << 20) - 1, "1024 KiB"), (1 << 20, "1 MiB"),
      ((1 << 20) + 52_428, "1 MiB"), ((1 << 20) + 53_248, "1.1 MiB"), ((3 << 20) + (1 << 19), "3.5 MiB"),
      (33 << 20, "33 MiB"),
    ] as [(UInt64, String)] {
      #expect(ByteText.of(bytes) == text, "\(bytes)")
    }
    for (milliseconds, text) in [
      (0, "0 s"), (49, "0 s"), (51, "0.1 s"), (949, "0.9 s"), (951, "1 s"), (30_000, "30 s"),
    ] {
      #expect(ExitReason.seconds(.milliseconds(milliseconds)) == text)
    }
    for (unit, words) in [
      (DiskExcess.Unit.files, "2097152 files, and 1048576 are allowed"),
      (.uncountable, "files that the host could not count, and 1 MiB are allowed"),
    ] {
      var other = Self.excess
      other.unit = unit
      #expect(other.description == words)
    }
  }

  @Test(arguments: [
    (SIGABRT, "SIGABRT (abort)"), (SIGBUS, "SIGBUS (bad memory access)"), (SIGFPE, "SIGFPE (arithmetic)"),
    (SIGILL, "SIGILL (trap)"), (SIGKILL, "SIGKILL (killed)"), (SIGSYS, "SIGSYS (forbidden system call)"),
    (SIGTERM, "SIGTERM (terminated)"), (SIGTRAP, "SIGTRAP (trap)"), (SIGXCPU, "SIGXCPU (processor time limit)"),
    (SIGXFSZ, "SIGXFSZ (file size limit)"), (SIGPIPE, "SIGPIPE (broken pipe)"), (SIGHUP, "signal 1"),
  ])
  func `names a signal`(signal: Int32, name: String) { #expect(SignalName.of(signal) == name) }

  // MARK: Advice

  private func target(_ limits: [String: PropertyListValue] = [:], manifest: String? = "/m") throws -> LaunchTarget {
    let value: PropertyListValue = [
      "CFBundleIdentifier": "com.example.notes.clock", "CFBundleExecutable": "Clock", "CFBundlePackageType": "XPC!",
      "NSExtension": ["NSExtensionPointIdentifier": "com.example.points.clock"],
      "Annex": ["Limits": .dictionary(limits)],
    ]
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    return LaunchTarget(
      identity: identity, executable: "/none", manifest: manifest,
      limits: try #require(ManifestValidation(value).manifest).limits)
  }

  @Test func `says which limit can be raised, by whom and how far`() throws {
    var largest = ExtensionLimits(memoryMiB: 32)
    largest.threads = 8
    let (memory, threads) = (ExitReason.memory(used: 9, ceiling: 8), ExitReason.threads(used: 9, ceiling: 8))
    let cpu = ExitReason.cpu(used: .seconds(9), ceiling: .seconds(8), isIdle: false)
    for (reason, key, unit) in [
      (memory, "MemoryMiB", " MiB"), (.crashedNearCeiling(6, used: 9, ceiling: 8), "MemoryMiB", " MiB"),
      (cpu, "CPUSeconds", " s"), (threads, "Threads", " threads"),
    ] as [(ExitReason, String, String)] {
      let most = key == "MemoryMiB" ? 32 : key == "Threads" ? 8 : 30
      let work = try #require(reason.recovery)
      let lowered = try target([key: .integer(Int64(most) - 1)])
      #expect(
        reason.recovery(of: lowered, within: largest)
          == "\(work) Or raise Annex.Limits.\(key) in /m, which is \(most - 1), up to \(most).")
      let nameless = try target([key: .integer(Int64(most) - 1)], manifest: nil)
      #expect(
        reason.recovery(of: nameless, within: largest)
          == "\(work) Or raise Annex.Limits.\(key), which is \(most - 1), up to \(most).")
      for own in [[:], [key: .integer(Int64(most))]] as [[String: PropertyListValue]] {
        #expect(
          reason.recovery(of: try target(own), within: largest)
            == "\(work) Its extension point allows \(most)\(unit) at most; Annex.Limits.\(key) lowers that, "
            + "and only the program that hosts it can raise it (ExtensionHost.Configuration.limits).")
      }
    }
    let idle = ExitReason.cpu(used: .seconds(9), ceiling: .seconds(8), isIdle: true)
    for reason in [idle, .hostMemory(held: 2, ceiling: 1), .diskQuota(Self.excess), .exited(1), .unknown] {
      #expect(reason.recovery(of: try target(["CPUSeconds": 1, "MemoryMiB": 1]), within: largest) == reason.recovery)
    }
    #expect(idle.recovery != cpu.recovery && ExitReason.exited(1).recovery == nil)
    #expect(ExitReason.diskQuota(Self.excess).recovery?.hasPrefix("Remove files from /c, or raise the limit") == true)
    #expect(ExitReason.launchFailed(stage: "limits", errno: 0).recovery?.contains("hard limits of the host") == true)
    #expect(ExitReason.launchFailed(stage: "none", errno: 0).recovery == nil)
  }

  @Test func `is refused by the sandbox, or for memory, as the words of the extension show`() {
    for (lines, words) in [
      (["x", "PermissionError: [Errno 1] Operation not permitted: '/etc'"], "The sandbox refused it: "),
      (["open: EACCES"], "The sandbox refused it: "), (["eperm"], "The sandbox refused it: "),
      (["Permission denied", "at urlopen"], "The sandbox refuses sockets; ask for “network”"),
      (["socket", "no way"], nil), ([], nil), (["MemoryError"], nil),
    ] as [([String], String?)] {
      let advice = SandboxRefusal.advice(for: lines, manifest: "/m")
      #expect(
        words.map { advice?.hasPrefix($0) == true && advice?.contains("/m") == true } ?? (advice == nil), "\(lines)")
      #expect(SandboxRefusal.isOfMemory(lines) == (lines == ["MemoryError"]))
    }
    #expect(SandboxRefusal.advice(for: ["EPERM"], manifest: nil)?.contains("the manifest") == true)
    for word in ["std::bad_alloc", "Cannot allocate memory", "ENOMEM", "FATAL: out of memory"] {
      #expect(SandboxRefusal.isOfMemory(["a", word]))
    }
    #expect(!SandboxRefusal.isOfMemory(["memory"]) && !SandboxRefusal.isOfMemory([]))
  }
}

/// The errors of a handshake, and what the extension is told in it.
@Suite(.timeLimit(.minutes(1)))
struct `A handshake that fails` {
  private static let identity = Caller.Identity(
    id: "com.example.notes.clock", version: "1", displayName: "Clock", point: .clock,
    containingApp: "com.example.notes", groups: [], entitlements: [])

  @Test func `says who has to move, by the major versions`() {
    for (own, host) in [(PointVersion(1, 0), PointVersion(1, 9)), (PointVersion(1, 9), PointVersion(1, 0))] {
      #expect(Handshake.mismatch(own, of: Self.identity, host: host) == nil)
    }
    let old = Handshake.mismatch(PointVersion(1, 9), of: Self.identity, host: PointVersion(2, 0))
    #expect(
      old?.message
        == "Clock speaks version 1.9 of the extension point com.example.points.clock, and this host 2.0: "
        + "Clock has to move."
    )
    #expect(old?.recovery == "Build Clock against version 2 of the extension point." && old?.offered == "1.9")
    let new = Handshake.mismatch(PointVersion(3, 1), of: Self.identity, host: PointVersion(2, 0))
    #expect(new?.message.hasSuffix("and this host 2.0: the host has to move.") == true)
    #expect(new?.recovery == "Use a host that speaks version 3 of the extension point, or an older Clock.")
    #expect(new?.kind == .versionMismatch && new?.code == .versionUnsupported && new?.method == "initialize")
  }

  @Test func `shows 100 bytes of a version that is not spoken`() {
    for (count, shown) in [(99, 99), (100, 100), (101, 100)] {
      let finding = Handshake.unsupported(String(repeating: "9", count: count), by: Self.identity)
      #expect(finding.offered == String(repeating: "9", count: shown))
    }
    let error = Handshake.unsupported("2.0", by: Self.identity).error(of: Self.identity)
    #expect(error.message == "Clock speaks protocol 2.0; this host speaks 1.0.")
    #expect(error.details["offered"] == "2.0" && error.details["supported"] == ["1.0"])
    #expect(error.details["extension"] == "com.example.notes.clock" && error.details["wire"] == nil)
  }

  @Test func `shows what came in place of an answer, where none came`() {
    var tally = WireTally()
    _ = tally.add(.unknownCancellation(nil))
    let words = "It sent cancellations of nothing."
    for (code, isShown, isLate) in [
      (ExtensionError.Code.deadlineExceeded, true, true), (.peerExited, true, false),
      (.protocolViolation, false, false),
    ] {
      let before = ExtensionError(code, "It failed.", recovery: "Do.")
      let error = Handshake.explain(before, of: Self.identity, tally: tally)
      #expect(error.message == (isShown ? "It failed. \(words)" : "It failed."))
      #expect(error.details["wire"] == (isShown ? .string(words) : nil))
      #expect(error.recovery?.hasPrefix("Make the extension answer \"initialize\"") == isLate)
      #expect(Handshake.explain(before, of: Self.identity, tally: WireTally()).message == "It failed.")
    }
  }

  @Test func `tells the extension its limits, each in its unit`() {
    var limits = ExtensionLimits(memoryMiB: 33)
    (limits.threads, limits.descriptors, limits.fileSize) = (7, 8, 9 << 20)
    (limits.containerSize, limits.containerFiles) = (10 << 20, 11)
    (limits.requestCPU, limits.idleCPU) = (.seconds(12), .seconds(13))
    var deadlines = ExtensionHost.Deadlines()
    (deadlines.handshake, deadlines.service, deadlines.termination) = (
      .milliseconds(14), .milliseconds(15), .milliseconds(16)
    )
    #expect(
      HandshakeLimits.table(limits, deadlines) == [
        "memoryMiB": 33, "threads": 7, "descriptors": 8, "fileMiB": 9, "containerMiB": 10, "containerFiles": 11,
        "cpuSeconds": 12, "idleCPUSeconds": 13, "handshakeMs": 14, "serviceMs": 15, "terminationMs": 16,
        "frameBytes": 4 << 20,
      ])
  }
}
