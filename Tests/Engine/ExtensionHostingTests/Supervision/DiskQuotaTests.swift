import ExtensionProtocol
import Foundation
import JSON
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `A disk quota` {
  private final class Folder: Sendable {
    let path: String
    init() throws {
      path = "\(NSTemporaryDirectory())annex-quota-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? StateDirectory.remove(path) }

    func write(_ name: String, bytes: Int) {
      _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: Data(count: bytes))
    }
  }

  private func limits(files: UInt64, bytes: UInt64) -> ExtensionLimits {
    var limits = ExtensionLimits(memoryMiB: 1)
    limits.containerFiles = files
    limits.containerSize = bytes
    return limits
  }

  @Test(arguments: [true, false]) func `is for the groups as well that may be written to`(mayWrite: Bool) throws {
    let state = try Folder()
    let identity = Caller.Identity(
      id: "com.example.a", version: "1", displayName: "A", point: .clock, containingApp: "com.example",
      groups: ["group.b", "group.a"], entitlements: [])
    let folders = try ExtensionFolders(
      for: LaunchTarget(identity: identity, executable: "/program"),
      mayWrite ? .readWrite : .readOnlyWithoutOpenAccess, in: StateDirectory(path: state.path), LaunchOwners())
    let groups = try ["group.a", "group.b"].map { [try #require(folders.groups[$0])] }
    let quota = DiskQuota(folders, limits: limits(files: 1, bytes: 1))
    #expect(quota.folders == [[folders.container, folders.scratch]] + (mayWrite ? groups : []))
  }

  @Test(arguments: [nil, .denied, .granted] as [PermissionState?])
  func `is for the groups that open access lets it write to, as the handshake says`(state: PermissionState?) throws {
    let home = try Folder()
    let identity = Caller.Identity(
      id: "com.example.a", version: "1", displayName: "A", point: .clock, containingApp: "com.example",
      groups: ["group.a"], entitlements: [])
    var target = LaunchTarget(identity: identity, executable: "/program")
    target.permissions[PermissionKind.openAccess.name] = state
    let mayWrite = state == .granted
    let folders = try ExtensionFolders(
      for: target, .readOnlyWithoutOpenAccess, in: StateDirectory(path: home.path), LaunchOwners())
    let group = try #require(folders.groups["group.a"])
    #expect(group.hasSuffix("/groups/group.a") && folders.container.hasSuffix("/containers/com.example.a"))
    let directories = folders.directories
    #expect(directories.container == folders.container && directories.scratch == folders.scratch)
    #expect(directories.groups.mapValues(\.path) == ["group.a": group])
    #expect(directories.groups.mapValues(\.mode) == ["group.a": mayWrite ? "rw" : "ro"])
    let quota = DiskQuota(folders, limits: limits(files: 1, bytes: 1))
    #expect(quota.folders == [[folders.container, folders.scratch]] + (mayWrite ? [[group]] : []))
  }

  @Test func `says of an extension that is not started which folder holds too much`() {
    let identity = Caller.Identity(
      id: "com.example.a", version: "1", displayName: "A", point: .clock, containingApp: "com.example", groups: [],
      entitlements: [])
    let excess = DiskExcess(folder: "/c", used: 2, ceiling: 1, unit: .files)
    let error = DiskQuota.refusal(excess, of: identity)
    #expect(error.code == .limitExceeded)
    #expect(error.message == "A was not started: /c holds 2 files, and 1 are allowed.")
    #expect(error.recovery == ExitReason.diskQuota(excess).recovery)
    var details = ExitReason.diskQuota(excess).details
    details["extension"] = "com.example.a"
    #expect(error.details == details)
    let uncountable = DiskQuota([["/c", "/s"], ["/g"]], limits: limits(files: 1, bytes: 5)).uncountable
    #expect(uncountable == DiskExcess(folder: "/c", used: 0, ceiling: 5, unit: .uncountable))
  }

  @Test func `counts files of several folders together, and names the first`() throws {
    let (one, other) = (try Folder(), try Folder())
    one.write("a", bytes: 1)
    other.write("b", bytes: 1)
    let paths = [[one.path, other.path]]
    #expect(DiskQuota(paths, limits: limits(files: 2, bytes: 1 << 20)).excess() == nil)
    let excess = DiskQuota(paths, limits: limits(files: 1, bytes: 1 << 20)).excess()
    #expect(excess == DiskExcess(folder: one.path, used: 2, ceiling: 1, unit: .files))
  }

  @Test func `counts other folders by themselves`() throws {
    let (one, other) = (try Folder(), try Folder())
    one.write("a", bytes: 1)
    other.write("b", bytes: 1)
    #expect(DiskQuota([[one.path], [other.path]], limits: limits(files: 1, bytes: 1 << 20)).excess() == nil)
  }

  @Test func `counts a hole by its length`() throws {
    let folder = try Folder()
    folder.write("hole", bytes: 0)
    #expect(truncate("\(folder.path)/hole", 8 << 30) == 0)
    let excess = DiskQuota([[folder.path]], limits: limits(files: 9, bytes: 1 << 20)).excess()
    #expect(excess?.unit == .bytes && excess?.used == 8 << 30)
  }

  @Test func `permits as many bytes as it says, and not one more`() throws {
    let folder = try Folder()
    folder.write("file", bytes: 5_000)
    func excess(_ bytes: UInt64) -> DiskExcess? {
      DiskQuota([[folder.path]], limits: limits(files: 9, bytes: bytes)).excess()
    }
    let used = try #require(excess(1)).used
    #expect(used >= 5_000 && excess(used) == nil)
    #expect(excess(used - 1) == DiskExcess(folder: folder.path, used: used, ceiling: used - 1, unit: .bytes))
  }

  @Test func `follows no link, and finds nothing where nothing is`() throws {
    let folder = try Folder()
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/root", withDestinationPath: "/")
    #expect(mkfifo("\(folder.path)/fifo", 0o600) == 0)
    #expect(DiskQuota([[folder.path]], limits: limits(files: 2, bytes: 1 << 20)).excess() == nil)
    #expect(DiskQuota([["\(folder.path)/none"]], limits: limits(files: 0, bytes: 0)).excess() == nil)
  }

  @Test func `counts below deep and closed folders, and stops when it has seen enough`() throws {
    let folder = try Folder()
    var path = folder.path
    for _ in 0..<40 { path += "/deeper" }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(path)/last", contents: nil)
    #expect(chmod("\(folder.path)/deeper/deeper", 0) == 0)
    #expect(DiskQuota([[folder.path]], limits: limits(files: 41, bytes: 1 << 20)).excess() == nil)
    #expect(DiskQuota([[folder.path]], limits: limits(files: 40, bytes: 1 << 20)).excess()?.used == 41)
    for number in 0..<100 { folder.write("file-\(number)", bytes: 0) }
    #expect(DiskQuota([[folder.path]], limits: limits(files: 10, bytes: 1 << 20)).excess()?.used == 11)
  }

  @Test func `takes what it cannot look into for an excess`() throws {
    let folder = try Folder()
    folder.write("file", bytes: 1)
    // No folder: as little to be looked into as one that the host may not open.
    let quota = DiskQuota([["\(folder.path)/file"]], limits: limits(files: 9, bytes: 1 << 20))
    #expect(quota.excess()?.unit == .uncountable)
  }

  /// This process stands in for an extension.
  @Test(arguments: [true, false])
  func `counts once what is open or mapped and has no name`(isMapped: Bool) throws {
    let folder = try Folder()
    folder.write("gone", bytes: 2 << 20)
    let file = open("\(folder.path)/gone", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let other = isMapped ? mmap(nil, 4096, PROT_READ, MAP_PRIVATE, file, 0) : nil
    defer { if let other { munmap(other, 4096) } }
    #expect(unlink("\(folder.path)/gone") == 0)
    let process = open("/proc/self", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(process) }
    let quota = DiskQuota([[folder.path]], limits: limits(files: 1, bytes: 1 << 20))
    #expect(quota.excess() == nil)
    guard case .excess(let excess) = quota.count(process: process) else { throw POSIXError(.EIO) }
    #expect(excess.unit == .bytes && excess.used >= 2 << 20 && excess.used < 4 << 20)
    #expect(DiskQuota([["/nowhere"]], limits: limits(files: 0, bytes: 0)).count(process: process) == .within)
  }
}
