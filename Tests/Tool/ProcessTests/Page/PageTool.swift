import Foundation

/// `host ui` as a user runs it, with extensions of a test.
final class PageTool: Sendable {
  let host: HostTool
  let program: Program
  /// The address that opens the page once.
  let address: String
  let port: Int

  /// - Parameters:
  ///   - host: the home and its folder.
  ///   - manifests: the folders with manifests.
  init(_ host: HostTool, manifests: [String], more words: [String] = []) async throws {
    self.host = host
    let places = manifests.flatMap { ["--manifests", $0] }
    program = try host.start(["ui", "--no-open", "--interval", "3600"] + words + places, input: .null)
    let line = try await program.hear("\n")
    guard let match = line.firstMatch(of: /ready (http:\/\/127\.0\.0\.1:(\d+)\/#[0-9a-f]{64})\n/),
      let port = Int(match.output.2)
    else { throw ProgramFailure(description: "not ready: \(line)") }
    (address, self.port) = (String(match.output.1), port)
  }

  /// Opens the page in a tab, and waits for its first page.
  func enter(_ tab: Tab) async throws {
    tab.need(self)
    try await tab.open(address)
    try await tab.until("document.title.startsWith('Today') && document.querySelector('#content')")
  }

  /// A folder for extensions of a test, with their containing app and no others.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try manifests(in: folder)
    return folder
  }

  /// Writes the manifests of the fixtures into a folder, and returns where. They are there as long as it.
  @discardableResult static func manifests(in folder: TemporaryFolder) throws -> String {
    let app = try String(contentsOfFile: "\(Build.fixtures)/Fixtures.plist", encoding: .utf8)
    try folder.write("manifests/Fixtures.plist", app)
    return "\(folder.path)/manifests"
  }

  /// Follows an entry of the menu.
  func go(to name: String, in tab: Tab) async throws {
    try await tab.click("nav a[href=\(name)]")
    try await tab.until("document.querySelector('nav a[aria-current]')?.getAttribute('href') == '\(name)'")
    try await tab.until("document.readyState == 'complete'")
  }
}
