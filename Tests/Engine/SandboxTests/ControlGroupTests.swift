import CLinux
import Files
import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The name of a control group` {
  @Test(arguments: [(1 as Int32, 0 as UInt64, 1 as UInt64), (4_194_304, 884_422, 77)])
  func `is read as it was written`(pid: Int32, startTime: UInt64, number: UInt64) {
    let name = ControlGroupName(host: ProcessIdentity(pid: pid, startTime: startTime), number: number)
    #expect(name.text == "annex-\(pid)-\(startTime)-\(number)")
    #expect(ControlGroupName(name.text) == name)
  }

  @Test(arguments: [
    "", "annex", "annex-1-2", "annex-1-2-3-4", "annex-0-2-3", "annex--1-2-3", "annex-1-2-x", "annex-01-2-3",
    "annex-1-+2-3", "Annex-1-2-3", "system.slice", "annex-99999999999-1-1",
  ])
  func `is no other name`(text: String) { #expect(ControlGroupName(text) == nil) }
}

@Suite(.timeLimit(.minutes(1)))
struct `The directory of control groups` {
  private static let mounts = """
    23 1 254:0 / / rw,relatime - ext4 /dev/vda rw
    38 23 0:34 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
    41 23 0:38 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw
    """

  @Test(arguments: [
    ("0::/system.slice/notes.service/host", ["/system.slice/notes.service", "/system.slice/notes.service/host"]),
    ("4:memory:/a/b\n0::/notes.service", ["", "/notes.service"]),
    ("0::/", [""]), ("0::/app-a..b.scope/..c", ["/app-a..b.scope", "/app-a..b.scope/..c"]),
  ])
  func `is looked for at the host and above it`(groups: String, found: [String]) {
    #expect(
      ControlGroupSearch.candidates(groups: groups, mounts: Self.mounts) == found.map { "/sys/fs/cgroup" + $0 })
  }

  @Test(arguments: [
    ("", mounts), ("4:memory:/a", mounts), ("0::relative", mounts), ("0::/../outside", mounts), ("0::/a", ""),
    ("0::/..", mounts), ("0::/a/..", mounts),
    ("0::/a", "38 23 0:34 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"), ("0::/a", "41 - cgroup2 x"),
    ("0::/a", "41 23 0:38 /other /sys/fs/cgroup rw - cgroup2 cgroup2 rw"),
  ])
  func `is not found where there is none`(groups: String, mounts: String) {
    #expect(ControlGroupSearch.candidates(groups: groups, mounts: mounts).isEmpty)
  }

  @Test func `is found below a part that a container mounts`() {
    let mounts = "41 23 0:38 /box /sys/fs/cgroup rw - cgroup2 cgroup2 rw"
    #expect(
      ControlGroupSearch.candidates(groups: "0::/box/host", mounts: mounts)
        == ["/sys/fs/cgroup", "/sys/fs/cgroup/host"])
  }

  @Test func `is not taken unless it was given`() {
    let folder = TemporaryDirectory()
    #expect(clinux_is_delegated(folder.path) == 0)
    #expect(clinux_is_delegated("/nonexistent") == 0)
    #expect(ControlGroupSearch.delegated().map { clinux_is_delegated($0) != 0 } ?? true)
  }

  @Test(arguments: [
    ([:], "not a directory of control groups"), (["cgroup.controllers": "cpu io pids"], "does not offer"),
    // The files of a real directory appear in every directory that is made below it.
    (["cgroup.controllers": "memory", "cgroup.subtree_control": "memory"], "memory.max"),
    (["cgroup.controllers": "memory", "cgroup.subtree_control": "cpu"], "memory.max"),
    (["memory.limit_in_bytes": "9223372036854771712"], "memory.limit_in_bytes"),
    (["cgroup.controllers": "memory"], "does not bound the memory"),
  ])
  func `is refused with what it lacks, and nothing is left in it`(files: [String: String], lack: String) throws {
    let folder = TemporaryDirectory()
    for (name, text) in files { folder.file(name, Array("\(text)\n".utf8)) }
    do throws(SandboxError) {
      let found = try ControlGroups(below: folder.path)
      Issue.record("\(found)")
    } catch {
      #expect(error.code == .controlGroupUnusable && error.message.contains(lack), "\(error)")
      #expect(error.message.contains(folder.path) && !error.recovery.isEmpty)
    }
    #expect(Set(Folder.names(in: folder.path)) == Set(files.keys))
  }

  /// The kernel takes each text by itself; in a file the next one lies over the one before.
  @Test(arguments: [
    ("memory", "", "+memory"), ("memory pids", "", "+pidsry"), ("memory pids", "memory", "+pidsy"),
    ("memory pids", "memory pids", "memory pids"), ("memory cpu", "cpu", "+memory"), ("memory", "memory", "memory"),
  ])
  func `has what it offers enabled, and nothing twice`(offered: String, enabled: String, written: String) {
    let folder = TemporaryDirectory()
    folder.file("cgroup.controllers", Array(offered.utf8))
    folder.file("cgroup.subtree_control", Array(enabled.utf8))
    #expect(throws: SandboxError.self) { try ControlGroups(below: folder.path) }
    #expect(ControlFile.read("\(folder.path)/cgroup.subtree_control") == written)
  }

  @Test func `is swept of the groups of dead hosts, and of nothing else`() throws {
    let folder = TemporaryDirectory()
    let me = ProcessIdentity.current
    let living = ControlGroupName(host: me, number: 1).text
    let later = ProcessIdentity(pid: me.pid, startTime: me.startTime + 1)
    let reused = ControlGroupName(host: later, number: 2).text
    for name in ["annex-9999999-1-1", reused, living, "host", "annex-x"] {
      #expect(mkdir("\(folder.path)/\(name)", 0o700) == 0)
    }
    folder.file("cgroup.controllers", Array("cpu".utf8))
    _ = try? ControlGroups(below: folder.path)
    #expect(Folder.names(in: folder.path).count == 6, "a directory that is refused is left alone")
    folder.file("memory.limit_in_bytes", Array("0".utf8))
    _ = try? ControlGroups(below: folder.path)
    #expect(
      Set(Folder.names(in: folder.path))
        == [living, "host", "annex-x", "cgroup.controllers", "memory.limit_in_bytes"])
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A control group` {
  @Test(arguments: [
    ("oom 4\noom_kill 2\noom_group_kill 1", 2 as UInt64?), ("oom_kill_disable 0\nunder_oom 0\noom_kill 1", 1),
    ("oom_kill 0", 0), ("oom_kill", nil), ("oom_kill x", nil), ("oom_kill 1 2", nil), ("", nil),
  ])
  func `counts who was ended for memory`(text: String, count: UInt64?) {
    #expect(ControlFile.number(of: "oom_kill", in: text) == count)
  }

  @Test(arguments: [
    (ControlGroups.Version.one, "memory.oom_control", "memory.max_usage_in_bytes"),
    (.two, "memory.events", "memory.peak"),
  ])
  func `is read in both versions`(version: ControlGroups.Version, kills: String, peak: String) {
    let folder = TemporaryDirectory()
    let group = ControlGroup(path: folder.path, version: version)
    #expect(group.memoryKills == 0 && group.peakMemory == nil, "a kernel need not have the files")
    folder.file(kills, Array("low 0\noom_kill 3\n".utf8))
    folder.file(peak, Array("33554432\n".utf8))
    #expect(group.memoryKills == 3 && group.peakMemory == 32 << 20)
  }

  @Test(arguments: [(true, "34"), (false, nil as String?)])
  func `is bounded as its version wants it`(boundsThreads: Bool, processes: String?) throws {
    let folder = TemporaryDirectory()
    for name in ["memory.max", "memory.oom.group", "memory.swap.max", "pids.max"] { folder.file(name, []) }
    let group = ControlGroup(path: folder.path, version: .two)
    try group.limit(.init(memory: 8 << 20, threads: 32), boundsThreads: boundsThreads)
    #expect(ControlFile.read("\(folder.path)/memory.max") == "8388608")
    #expect(ControlFile.read("\(folder.path)/memory.oom.group") == "1")
    #expect(ControlFile.read("\(folder.path)/memory.swap.max") == "0")
    #expect(ControlFile.read("\(folder.path)/pids.max") == (processes ?? ""))
  }

  @Test func `has at most as many threads as the kernel can count`() throws {
    let folder = TemporaryDirectory()
    for name in ["memory.max", "pids.max"] { folder.file(name, []) }
    let group = ControlGroup(path: folder.path, version: .two)
    try group.limit(.init(memory: 1, threads: .max), boundsThreads: true)
    #expect(ControlFile.read("\(folder.path)/pids.max") == "4294967297")
    unlink("\(folder.path)/pids.max")
    #expect(throws: SandboxError.self) { try group.limit(.init(memory: 1, threads: 1), boundsThreads: true) }
  }

  @Test func `bounds swap in version 1 where the kernel counts it`() throws {
    let folder = TemporaryDirectory()
    for name in ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"] { folder.file(name, []) }
    try ControlGroup(path: folder.path, version: .one).limit(.init(memory: 4096, threads: 1), boundsThreads: true)
    #expect(ControlFile.read("\(folder.path)/memory.memsw.limit_in_bytes") == "4096")
  }

  @Test func `takes a process in by its number`() throws {
    let folder = TemporaryDirectory()
    let group = ControlGroup(path: folder.path, version: .two)
    let error = #expect(throws: SandboxError.self) { try group.admit(7) }
    #expect(error?.code == .controlGroupUnusable)
    folder.file("cgroup.procs", [])
    try group.admit(4_711)
    #expect(ControlFile.read("\(folder.path)/cgroup.procs") == "4711")
  }

  @Test func `needs no file for swap in version 1`() throws {
    let folder = TemporaryDirectory()
    folder.file("memory.limit_in_bytes", [])
    try ControlGroup(path: folder.path, version: .one).limit(.init(memory: 4096, threads: 1), boundsThreads: false)
    #expect(ControlFile.read("\(folder.path)/memory.limit_in_bytes") == "4096")
  }

  @Test func `that is gone counts as removed`() {
    let folder = TemporaryDirectory()
    #expect(ControlGroup(path: "\(folder.path)/none", version: .two).remove())
    folder.file("cgroup.procs", [])
    #expect(!ControlGroup(path: folder.path, version: .two).remove())
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The row of control groups` {
  @Test func `says where they are, what to do without them, and why they cannot be used`() {
    let groups = ControlGroups(path: "/sys/fs/cgroup/notes", version: .two, boundsThreads: true)
    let found = SandboxReport.Row.controlGroup(.success(groups))
    #expect(found.enforced && found.detail.contains("/sys/fs/cgroup/notes (version 2)"))
    #expect(found.detail.contains("memory and threads") && found.recovery == nil)
    let none = SandboxReport.Row.controlGroup(.success(nil))
    #expect(!none.enforced && none.recovery?.contains("ANNEX_CONTROL_GROUP") == true)
    let refused = SandboxReport.Row.controlGroup(.failure(.controlGroup("It is full", ENOSPC)))
    #expect(!refused.enforced && refused.detail.contains("It is full") && refused.recovery != nil)
    let report = SandboxReport(SandboxCapabilities(tier: .full, landlockVersion: 7), more: [none])
    #expect(report.rows.last == none)
  }
}
