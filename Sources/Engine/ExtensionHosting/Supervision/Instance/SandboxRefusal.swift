/// Recognises an exception that the sandbox caused. The kernel tells an extension no more than `EPERM` or `EACCES`, so
/// its own words, and the trace that it wrote, are all there is to go by.
enum SandboxRefusal {
  private static let refusals = ["operation not permitted", "permission denied", "eperm", "eacces"]
  private static let sockets = ["socket", "connect", "getaddrinfo", "urlopen", "urlsession", "fetch"]

  private static let memory = ["memoryerror", "bad_alloc", "cannot allocate memory", "enomem", "out of memory"]

  /// Whether the words show that the extension got no more memory.
  static func isOfMemory(_ lines: [String]) -> Bool {
    let text = lines.joined(separator: "\n").lowercased()
    return memory.contains { text.contains($0) }
  }

  /// Returns what to do about a refused system call; `nil` when the words show none.
  ///
  /// - Parameters:
  ///   - lines: what the extension said and wrote.
  ///   - manifest: the path of its manifest.
  static func advice(for lines: [String], manifest: String?) -> String? {
    let text = lines.joined(separator: "\n").lowercased()
    guard refusals.contains(where: { text.contains($0) }) else { return nil }
    let place = manifest ?? "the manifest"
    if sockets.contains(where: { text.contains($0) }) {
      return "The sandbox refuses sockets; ask for “network”: name the server under Annex.Network in \(place), as "
        + "<key>Network</key><array><string>api.example.com</string></array>, and call it through the host with fetch."
    }
    return
      "The sandbox refused it: an extension reads its bundle, and writes to its container, its scratch folder and the "
      + "app groups that \(place) names."
  }
}
