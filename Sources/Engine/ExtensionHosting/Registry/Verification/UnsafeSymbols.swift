/// The table of what an extension must not use: symbols of the C library, libraries, and Swift modules, each with the
/// reason and the replacement.
///
/// The sandbox refuses all of this at run time, and `api/report` says why. Verification of a bundle tells the author
/// before a user finds out. A table of symbols cannot show system calls by number, functions that are looked up by
/// name, and, in a program that contains the SDK or the Swift runtime, the author's own use of a symbol that these use
/// too.
package enum UnsafeSymbols {
  /// Something that is not safe in an extension.
  package struct Row: Sendable {
    let names: [String]
    /// Why the symbol is not safe, as one sentence.
    package let reason: String
    /// What to use instead, as one sentence.
    package let replacement: String
    /// What a program may carry that uses these symbols without using them in an extension.
    var carriers: Set<Carrier> = []
  }

  /// What is linked into a program besides the author's code.
  enum Carrier: String, Sendable {
    /// The SDK: the module AppExtensions with its C part, which containing apps use too.
    case kit = "ExtensionRuntime"
    /// The Swift runtime, linked statically.
    case staticSwift
  }

  static let symbols = [
    Row(
      names: ["socket", "connect", "bind", "listen", "accept", "accept4"],
      reason: "An extension has no network and no sockets.",
      replacement: "Ask the host for content (content/execute), or the containing app to fetch it.", carriers: [.kit]),
    Row(
      names: ["getaddrinfo", "gethostbyname", "gethostbyname2", "getnameinfo", "res_query", "res_search"],
      reason: "An extension has no network, so no names can be looked up.",
      replacement: "Ask the host for content (content/execute), or the containing app to fetch it."),
    Row(
      names: ["posix_spawn", "posix_spawnp"], reason: "An extension starts no other program.",
      replacement: "Do the work in the extension itself.", carriers: [.kit]),
    Row(
      names: [
        "fork", "vfork", "_Fork", "execve", "execv", "execvp", "execl", "execlp", "execle", "execveat",
        "fexecve", "system", "popen", "daemon", "forkpty",
      ],
      reason: "An extension starts no other program.", replacement: "Do the work in the extension itself."),
    Row(
      names: ["execvpe"], reason: "An extension starts no other program.",
      replacement: "Do the work in the extension itself.", carriers: [.staticSwift]),
    Row(
      names: ["ptrace", "process_vm_readv", "process_vm_writev"],
      reason: "An extension does not look into other processes.",
      replacement: "Use app groups to share data with the containing app."),
    Row(
      names: ["dlopen", "dlmopen"], reason: "Code that is loaded at run time was seen by no check.",
      replacement: "Link the library when the extension is built.", carriers: [.staticSwift]),
    Row(
      names: ["mount", "umount", "umount2", "unshare", "setns", "chroot", "pivot_root", "reboot", "swapon"],
      reason: "An extension does not change the system.", replacement: "Leave it to the user."),
    Row(
      names: [
        "setuid", "setgid", "seteuid", "setegid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups",
        "initgroups", "capset",
      ],
      reason: "An extension keeps the rights that it is started with.", replacement: "Leave the call out."),
    Row(
      names: ["shm_open", "shmget", "semget", "msgget", "mq_open"],
      reason: "An extension shares no memory and no queues with other programs.",
      replacement: "Use the group store (defaults/…) or files in an app group's folder."),
  ]

  /// Libraries by the beginning of their names.
  static let libraries = [
    Row(
      names: ["libFoundationNetworking", "libcurl", "libnghttp2", "libzmq", "libmicrohttpd", "libsoup"],
      reason: "An extension has no network.",
      replacement: "Ask the host for content (content/execute), or the containing app to fetch it."),
    Row(
      names: ["libX11", "libxcb", "libwayland-client", "libgtk-", "libQt5Gui", "libQt6Gui", "libSDL2", "libSDL3"],
      reason: "An extension has no window; the host shows what it returns.",
      replacement: "Return a view, or items, to the host."),
    Row(
      names: ["libasound", "libpulse", "libpipewire", "libjack", "libv4l", "libcamera", "libgstreamer"],
      reason: "Camera, microphone and sound are never open to an extension.",
      replacement: "Let the containing app use them."),
    Row(
      names: ["libdbus-1", "libsystemd", "libsdbus"], reason: "An extension does not reach the system's services.",
      replacement: "Ask the host, which offers services of its own (host api)."),
    Row(
      names: ["libpam", "libsudo_util", "libcap.so", "libcap-ng"],
      reason: "An extension keeps the rights that it is started with.", replacement: "Leave the library out."),
  ]

  static let modules = [
    Row(
      names: ["FoundationNetworking"], reason: "An extension has no network.",
      replacement: "Ask the host for content (content/execute), or the containing app to fetch it."),
    Row(
      names: ["ExtensionHosting", "HostServices", "CommandRuntime", "HostCLI"],
      reason: "These modules are for hosts; an extension cannot host others.", replacement: "Import AppExtensions."),
  ]

  /// The rows that a program breaks, with the names that break them.
  static func findings(
    libraries named: [String], imports: Set<String>, modules mentioned: Set<String>, carriers: Set<Carrier>
  ) -> [(name: String, kind: String, row: Row)] {
    var found: [(name: String, kind: String, row: Row)] = []
    for row in symbols where row.carriers.isDisjoint(with: carriers) {
      found += row.names.filter(imports.contains).map { ($0, "symbol", row) }
    }
    for library in named {
      guard let (_, row) = row(aboutLibrary: library) else { continue }
      found.append((library, "library", row))
    }
    for row in modules { found += row.names.filter(mentioned.contains).map { ($0, "module", row) } }
    return found
  }

  /// What is said about a symbol, a library or a module.
  ///
  /// - Returns: the row, and the name in it that is meant; `nil` for what no row is about.
  package static func row(about name: String) -> (name: String, row: Row)? {
    let row = (symbols + modules).first { $0.names.contains(name) }
    return row.map { (name, $0) } ?? self.row(aboutLibrary: name)
  }

  private static func row(aboutLibrary name: String) -> (name: String, row: Row)? {
    for row in libraries {
      if let beginning = row.names.first(where: { name.hasPrefix($0) }) { return (beginning, row) }
    }
    return nil
  }

  /// The name of a section that every Swift program has.
  static let swiftSection = "swift5_type_metadata"

  /// The words that are searched in a program: the names of modules, one of which is the SDK's, and of a section.
  static var words: [String] { modules.flatMap(\.names) + [Carrier.kit.rawValue, swiftSection] }
}
