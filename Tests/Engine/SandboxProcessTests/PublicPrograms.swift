import Glibc
import Sandbox

/// Built programs at a place that every user can reach.
enum PublicPrograms {
  /// - Returns: `built`, when every user may enter it; else a temporary folder with copies, removed at the end.
  static func folder(_ names: [String], from built: String) -> String {
    if geteuid() != 0 || isPublic(built) { return built }
    var template = Array("/tmp/annex-programs-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return built }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(folder, 0o755)
    let files = names.map { "\(built)/\($0)" }
    let copy = LaunchPlan.unsafeNoSandbox(executable: "/bin/cp", arguments: ["--"] + files + [folder])
    _ = try? Workshop.run(copy)
    copies = folder
    atexit { PublicPrograms.remove() }
    return folder
  }

  // Written once, before the only reader is registered.
  nonisolated(unsafe) private static var copies = ""

  private static func remove() {
    guard !copies.isEmpty else { return }
    _ = try? Workshop.run(LaunchPlan.unsafeNoSandbox(executable: "/bin/rm", arguments: ["-rf", "--", copies]))
  }

  private static func isPublic(_ path: String) -> Bool {
    var folder = path[...]
    while !folder.isEmpty {
      var info = stat()
      guard stat(String(folder), &info) == 0, info.st_mode & S_IXOTH != 0 else { return false }
      folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
    }
    return true
  }
}
