import Files
import Glibc

extension Attempt {
  static let files = [
    Attempt("files/secrets", "Read /etc/shadow, /etc/passwd and the host's state") {
      [$0.secret, $0.folder.path + "/state"]
    },
    Attempt("files/list", "List /, /etc, /home, /root and the host's state") { [$0.folder.path, "user"] },
    Attempt("files/home", "List the home of the host's user") { _ in [Self.home] },
    Attempt("files/write-places", "Create a file in /tmp, /usr, /dev/shm, /run and others") { [$0.folder.name] },
    Attempt("files/change-bundle", "Change, rename or remove a file of the own bundle") { [$0.folder.bundle] },
    Attempt("files/other-container", "Read and write another extension's container") { [$0.folder.path + "/other"] },
    Attempt("files/other-group", "Read and write an app group of another app") { [$0.folder.path + "/claimed"] },
    Attempt("files/links", "Reach a file through a symbolic link") { [$0.secret] },
    Attempt("files/climb", "Reach a file through .. and the links of /proc") { [$0.secret, "\($0.victim.pid)"] },
    Attempt("files/hard-link", "Link a file into the container, or move one out") {
      [$0.secret, $0.folder.path + "/outside"]
    },
    Attempt("files/special", "Make device files, pipes and sockets in the container"),
    Attempt("files/handle", "Open a file by a forged handle") { [$0.folder.scratch] },
    Attempt("files/attributes", "Change size, mode, owner, times or attributes of a file outside") { [$0.secret] },
    Attempt("files/watch", "Watch files with inotify and fanotify") { [$0.folder.path + "/other"] },
    Attempt("files/controls", "Write to /proc/sys, sysrq-trigger, uid_map and the like"),
    Attempt("files/use-container", "Find the own container unusable") { [$0.folder.scratch] },
    Attempt("files/read-only-group", "Write where only reading is granted") { [$0.folder.path + "/group"] },
    Attempt("files/whiteout", "Leave a device file behind by moving another"),
    Attempt("files/rights", "Make files that give their user's or group's rights"),
    Attempt("files/locks", "Lock a file that is only granted for reading") { [$0.folder.path + "/group/secret"] },
    Attempt("files/sizes", "Learn the size and time of a file outside", tiers: ownRoot) { [$0.secret] },
  ]

  static let devices = [
    Attempt("devices/open", "Open cameras, sound, input, graphics, disks, terminals, /dev/mem and others"),
    Attempt("devices/given", "Misuse /dev/null and /dev/urandom, which are given"),
    Attempt("devices/terminal", "Type into the host's terminal"),
  ]

  private static var home: String {
    guard let entry = getpwuid(getuid()), let home = entry.pointee.pw_dir else { return "/root" }
    return String(cString: home)
  }
}

extension TrialTargets {
  var secret: String { folder.path + "/state/secret" }
}

extension TrialFolder {
  /// The last part of its path, which is nobody else's.
  var name: String { Folder.name(of: path) }
}
