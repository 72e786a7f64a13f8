import Files
import Text

/// Who can put something else in the place of a file: what is started, and what says how, is root's or the host's user's,
/// and so is every folder on the way to it.
package struct PlaceRules: Sendable {
  /// What is wrong with a place.
  package struct Fault: Sendable, Equatable {
    /// Which part of the way, whose it is or what its mode is.
    package let message: String
    /// What to type.
    package let recovery: String
  }

  private let host: HostIdentity
  var hostUser: UInt32 { host.userID }
  /// Who in this user namespace stands for all that have no number in it, root's files and any other user's alike.
  private let unmapped: UInt32?
  /// The program of the host itself, without links; `nil` when its path no longer leads to it. Whoever can exchange a folder
  /// on the way to it can exchange the host, so that distrust of these folders would protect nothing.
  private let program: String?

  /// - Parameter host: the user that runs the host.
  package init(host: HostIdentity = .current) {
    self.init(host: host, unmapped: Self.unmappedUser, program: Self.ownProgram)
  }

  init(host: HostIdentity, unmapped: UInt32?, program: String? = nil) {
    self.host = host
    self.unmapped = unmapped
    self.program = program
  }

  /// Why somebody else could exchange a file; `nil` when nobody can.
  ///
  /// - Parameter path: absolute, without links.
  package func fault(of path: String) -> Fault? {
    var part = path
    while true {
      guard let status = FileStatus(part) else {
        return Fault(message: "\(part) cannot be looked at, on the way to \(path).", recovery: "Run: ls -ld \(part).")
      }
      if let fault = fault(of: part, status, on: path) { return fault }
      guard part != "/" else { return nil }
      part = Folder.parent(of: part)
    }
  }

  /// The same for a path with links: whoever can exchange one of them decides what is started, too.
  ///
  /// - Parameter path: absolute.
  package func fault(ofLinks path: String) -> Fault? {
    guard let resolved = ResolvedPath(path) else {
      return Fault(message: "\(path) does not exist.", recovery: "Build or install the extension again.")
    }
    for link in resolved.links {
      let folder = Folder.parent(of: link.path)
      if let fault = fault(of: ResolvedPath(folder)?.path ?? folder) { return fault }
    }
    return fault(of: resolved.path)
  }

  private func fault(of part: String, _ status: FileStatus, on path: String) -> Fault? {
    let isFolder = status.kind == .directory
    let deed =
      part == path && !isFolder
      ? "\(path) can be changed by other users" : "\(path) can be exchanged by other users, through \(part)"
    guard isTrusted(status.owner, part) else {
      guard status.owner != unmapped else {
        return Fault(
          message: "\(deed): \(Self.unmappedOwner)",
          recovery: "Start the host without unshare -r, or copy what is started to a folder of your own.")
      }
      return Fault(
        message:
          "\(deed): it belongs to user \(status.owner), not to root or to user \(host.userID), who runs the host.",
        recovery: "Run: sudo chown \(host.userID) \(part). Or copy what is started to a folder of your own.")
    }
    // In a directory with the sticky bit, such as /tmp, a user cannot replace the files of another.
    guard !isFolder || status.mode & 0o1000 == 0 else { return nil }
    // With an access list the bits of the group say what the most of its users and groups may do, whoever they are.
    let isOfTrusted = isTrusted(group: status.group) && !File.hasAccessList(part)
    let isOpen = status.mode & 0o002 != 0 || status.mode & 0o020 != 0 && !isOfTrusted
    guard isOpen else { return nil }
    return Fault(
      message: "\(deed): its mode is \(String(status.mode & 0o7777, radix: 8)).", recovery: "Run: chmod go-w \(part).")
  }

  /// Folders in which root alone installs programs.
  static func isOfSystem(_ path: String) -> Bool {
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt"].contains { path.isBelowOrEqual($0) }
  }

  func isTrusted(_ owner: UInt32, _ part: String) -> Bool {
    if owner == 0 || owner == host.userID { return true }
    // After unshare -r root's files are nobody's, and those of every other user as well. Only root makes folders in /.
    guard owner == unmapped else { return false }
    return part.pathParts().count < 2 || Self.isOfSystem(part) || isOfHost(part)
  }

  /// Whether this is the host's own program, a folder on the way to it, or a file beside it. In a folder with the sticky bit
  /// anybody may have put the file there.
  private func isOfHost(_ part: String) -> Bool {
    guard let program else { return false }
    if program.isBelowOrEqual(part) { return true }
    guard Folder.parent(of: part).hasBytes(of: Folder.parent(of: program)), FileStatus(part)?.kind == .regular else {
      return false
    }
    return FileStatus(Folder.parent(of: part)).map { $0.mode & 0o1000 == 0 } ?? false
  }

  /// What is wrong with an owner that has no number here, one sentence; `nil` for any other.
  func fault(ofOwner owner: UInt32) -> String? { owner == unmapped ? Self.unmappedOwner : nil }

  private static let unmappedOwner =
    "its owner has no number in this user namespace (unshare -r), where root's files look like those of any other user."

  /// Root's group, and one that has the user alone in it, which has the user's number.
  private func isTrusted(group: UInt32) -> Bool {
    group == 0 || group == host.groupID && host.groupID == host.userID
  }

  private static let unmappedUser: UInt32? = {
    func text(_ path: String) -> String { String(decoding: File.prefix(of: path, limit: 1 << 16) ?? [], as: UTF8.self) }
    let digits = text("/proc/sys/kernel/overflowuid").prefix { $0.isNumber }
    guard let user = UInt32(digits) else { return nil }
    return IdentifierMap(Array(text("/proc/self/uid_map").utf8)).contains(user...user) ? nil : user
  }()

  static let ownProgram: String? = {
    let link = "/proc/self/exe"
    guard let path = File.linkTarget(of: link), let running = FileIdentity(path: link),
      FileIdentity(path: path) == running
    else { return nil }
    return path
  }()
}
