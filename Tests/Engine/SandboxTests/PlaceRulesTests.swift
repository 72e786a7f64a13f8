import Files
import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The place of what is started` {
  private let directory = TemporaryDirectory()
  private let rules = PlaceRules(host: HostIdentity(userID: geteuid(), groupID: getegid()))
  private static let other: UInt32 = 4_711

  private func program(_ name: String = "way/to/program") -> String {
    _ = directory.directory("way")
    _ = directory.directory("way/to")
    return directory.file(name, [1])
  }

  private func fault(_ path: String) -> String { rules.fault(of: path).map { "\($0.message) \($0.recovery)" } ?? "" }

  @Test func `is fine where only root and the host's user can change something`() {
    #expect(rules.fault(of: program()) == nil)
    #expect(rules.fault(of: "/usr/bin/env") == nil)
  }

  @Test(arguments: [(0o777, "777"), (0o757, "757"), (0o2777, "2777")] as [(mode_t, String)])
  func `is refused below a folder that others may write to, with what to type`(mode: mode_t, text: String) {
    let path = program()
    let folder = directory.path + "/way"
    chmod(folder, mode)
    #expect(
      fault(path).contains("through \(folder): its mode is \(text). Run: chmod go-w \(folder)."), "\(fault(path))")
    chmod(folder, 0o1777)
    #expect(fault(path) == "")
  }

  @Test func `is refused when others may write to the file`() {
    let path = program()
    chmod(path, 0o646)
    #expect(fault(path) == "\(path) can be changed by other users: its mode is 646. Run: chmod go-w \(path).")
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root to give something away"), arguments: ["way", "way/to", "way/to/program"])
  func `is refused when a part of the way belongs to somebody else`(part: String) {
    let path = program()
    let place = "\(directory.path)/\(part)"
    chown(place, Self.other, 0)
    #expect(fault(path).contains("it belongs to user 4711, not to root or to user"), "\(fault(path))")
    #expect(fault(path).contains("Run: sudo chown \(geteuid()) \(place)."), "\(fault(path))")
    let theirs = PlaceRules(host: HostIdentity(userID: Self.other, groupID: Self.other))
    #expect(theirs.fault(of: path) == nil)
    // A sticky folder of another user is not safe from that user.
    guard part == "way" else { return }
    chmod(place, 0o1777)
    #expect(fault(path).contains("it belongs to user 4711"), "\(fault(path))")
  }

  @Test func `is refused when an access list lets somebody else write`() throws {
    let path = program()
    // Version 2: owner rw, user 4711 rw, group r, mask rw, others r. The mode then says 664.
    let entries: [(UInt16, UInt16, UInt32)] = [
      (1, 6, .max), (2, 6, Self.other), (4, 4, .max), (0x10, 6, .max), (0x20, 4, .max),
    ]
    var list: [UInt8] = [2, 0, 0, 0]
    for (tag, rights, user) in entries {
      for half in [tag, rights] { list += [UInt8(half & 0xFF), UInt8(half >> 8)] }
      list += (0..<4).map { UInt8(truncatingIfNeeded: user >> (8 * $0)) }
    }
    chmod(path, 0o660)
    chown(path, geteuid(), getegid() == geteuid() ? getegid() : 0)
    // The Glibc module has no xattr.h.
    typealias SetAttribute =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) ->
      Int32
    let set = unsafeBitCast(try #require(dlsym(nil, "setxattr")), to: SetAttribute.self)
    guard set(path, "system.posix_acl_access", list, list.count, 0) == 0 else {
      try Test.cancel("the file system has no access lists")
    }
    #expect(fault(path).contains("\(path) can be changed by other users"), "\(fault(path))")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give something away"))
  func `may be open to the group that has the user alone in it`() {
    let path = program()
    let folder = directory.path + "/way"
    chown(directory.path, Self.other, Self.other)
    chown(folder, Self.other, Self.other)
    chmod(folder, 0o775)
    let user = PlaceRules(host: HostIdentity(userID: Self.other, groupID: Self.other))
    #expect(user.fault(of: path) == nil)
    let member = PlaceRules(host: HostIdentity(userID: Self.other, groupID: 100))
    #expect(member.fault(of: path)?.message.contains("its mode is 775") == true)
    chown(folder, Self.other, 100)
    #expect(member.fault(of: path)?.message.contains("its mode is 775") == true)
    #expect(user.fault(of: path)?.message.contains("its mode is 775") == true)
  }

  /// After `unshare -r` root's files and those of every other user belong to the same number.
  @Test(arguments: [
    ("/", true), ("/usr", true), ("/home", true), ("/usr/local/bin/tool", true), ("/opt/tool", true),
    ("/home/other", false), ("/home/other/tool", false), ("/usrlocal/bin", false), ("/tmp/x/y", false),
    ("/tmp/\u{301}x", false), ("/\u{301}x", true),
  ])
  func `is not that of nobody, whoever that is, but in the system's folders`(path: String, isTrusted: Bool) {
    let host = HostIdentity(userID: 1_000, groupID: 1_000)
    #expect(PlaceRules(host: host, unmapped: 65_534).isTrusted(65_534, path) == isTrusted)
    #expect(!PlaceRules(host: host, unmapped: nil).isTrusted(65_534, path))
    #expect(!PlaceRules(host: host, unmapped: 65_534).isTrusted(1_001, path))
    #expect(PlaceRules(host: host, unmapped: 65_534).isTrusted(1_000, path))
  }

  /// Whoever could exchange these could exchange the host itself. What root has put deeper may be anybody's.
  @Test(.enabled(if: geteuid() == 0, "needs root to give something away"))
  func `is that of nobody on the way to the host's own program and beside it`() {
    let path = program()
    let nobody: UInt32 = 65_534
    for part in ["", "/way", "/way/to", "/way/to/program"] { chown(directory.path + part, nobody, 0) }
    let neighbour = directory.file("way/to/neighbour", [1])
    let below = directory.directory("way/to/folder")
    let deeper = directory.file("way/to/folder/file", [1])
    let aside = directory.file("way/aside", [1])
    for place in [neighbour, below, deeper, aside] { chown(place, nobody, 0) }
    symlink(deeper, "\(directory.path)/way/to/link")
    lchown("\(directory.path)/way/to/link", nobody, 0)
    let host = HostIdentity(userID: 1_000, groupID: 1_000)
    let rules = PlaceRules(host: host, unmapped: nobody, program: path)
    #expect(rules.fault(of: path) == nil)
    #expect(rules.fault(of: neighbour) == nil)
    for place in [below, deeper, aside, "\(directory.path)/way/to/link"] {
      let fault = rules.fault(of: place)
      #expect(fault?.message.contains("no number in this user namespace") == true, "\(place)")
      #expect(fault?.recovery.contains("without unshare -r") == true)
    }
    #expect(
      PlaceRules(host: host, unmapped: nil, program: path).fault(of: neighbour)?.message.contains("65534") == true)
    chown(neighbour, 1_001, 0)
    #expect(rules.fault(of: neighbour)?.message.contains("it belongs to user 1001") == true)
    chown(neighbour, nobody, 0)
    // In a folder that all may write to, anybody may have put it there.
    chmod(directory.path + "/way/to", 0o1777)
    #expect(rules.fault(of: neighbour)?.message.contains("no number") == true)
    chmod(directory.path + "/way/to", 0o777)
    #expect(rules.fault(of: neighbour)?.message.contains("its mode is 777") == true)
  }

  @Test func `is that of nobody beside the host's own program by the bytes of the folder`() {
    for name in ["\u{E9}", "e\u{301}"] { directory.directory(name) }
    let host = HostIdentity(userID: 1_000, groupID: 1_000)
    let rules = PlaceRules(host: host, unmapped: 65_534, program: directory.file("\u{E9}/host", [1]))
    #expect(rules.isTrusted(65_534, directory.file("\u{E9}/neighbour", [1])))
    #expect(!rules.isTrusted(65_534, directory.file("e\u{301}/neighbour", [1])))
  }

  @Test func `is measured at the host's own program, which is this one`() throws {
    let path = try #require(File.linkTarget(of: "/proc/self/exe"))
    #expect(PlaceRules.ownProgram == path)
  }

  @Test func `is looked at along every link`() {
    let path = program()
    _ = directory.directory("links", mode: 0o777)
    chmod(directory.path + "/links", 0o777)
    symlink(path, directory.path + "/links/program")
    #expect(rules.fault(ofLinks: path) == nil)
    let fault = rules.fault(ofLinks: directory.path + "/links/program")
    #expect(fault?.message.contains("/links can be exchanged") == true, "\(String(describing: fault))")
    #expect(rules.fault(ofLinks: path + "s")?.message == "\(path)s does not exist.")
  }

  @Test func `is at fault where a part of the way is not there, by its name`() {
    let path = program()
    let part = "\(directory.path)/way/none"
    #expect(
      fault("\(part)/program")
        == "\(part)/program cannot be looked at, on the way to \(part)/program. Run: ls -ld \(part)/program.")
    #expect(fault(path + "/x").hasPrefix("\(path)/x cannot be looked at"))
  }
}
