import Contracts
import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled(if: Arena.isPossible))
struct `A host at its limits` {
  @Test func `lists a thousand extensions`() throws {
    let arena = try Arena()
    let folder = "\(arena.path)/manifests"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.manifest("com.example.crowd", type: "APPL", point: "")
      .write(toFile: "\(folder)/app.plist", atomically: false, encoding: .utf8)
    let point = """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
      <string>com.apple.widget-extension</string></dict>
      """
    for number in 0..<1000 {
      try Self.manifest("com.example.crowd.n\(number)", type: "XPC!", point: point)
        .write(toFile: "\(folder)/\(number).plist", atomically: false, encoding: .utf8)
    }
    let start = ContinuousClock.now
    let registry = ExtensionRegistry(
      RegistrySources(manifestFolders: [.init(path: folder, products: Arena.products)]))
    #expect(registry.entries.count { $0.isEnabled && !$0.isApp } == 1000)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// In a process of its own, which lowers its limit.
  @Test func `says so when no descriptor is left, and goes on when some are`() async {
    let ended = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      var complaints: [String] = []
      // What is thrown out of here ends the process by a signal that says nothing.
      do {
        let arena = try Arena()
        let first = try await arena.serve(slot: 1).result
        if first != .newData { complaints.append("before: \(first)") }
        var taken: [Int32] = []
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = 256
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        while case let next = dup(0), next >= 0 { taken.append(next) }
        do {
          complaints.append("without descriptors: \(try await arena.serve(slot: 2))")
        } catch let error as ExtensionError {
          // Some may be left: the end of the first process is still being tidied up.
          if ![.launchFailed, .storeFailed, .limitExceeded].contains(error.code) {
            complaints.append("without descriptors: \(error)")
          }
        }
        for descriptor in taken { close(descriptor) }
        _ = try await arena.serve(slot: 3)
        complaints += arena.scratchFolders.map { "the folder \($0) is left" }
      } catch {
        complaints.append("\(type(of: error)): \(error)")
      }
      for complaint in complaints { FileHandle.standardError.write(Data("chaos: \(complaint)\n".utf8)) }
      #expect(complaints == [])
    }
    let said = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
    #expect(!said.contains("chaos: ") && !said.contains("Fatal error"), "\(said)")
  }

  private static func manifest(_ id: String, type: String, point: String) -> String {
    """
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>\(id)</string>
    <key>CFBundleExecutable</key><string>Lengthy</string>
    <key>CFBundlePackageType</key><string>\(type)</string>
    <key>CFBundleName</key><string>\(id)</string>
    <key>CFBundleVersion</key><string>1</string>
    \(point)</dict></plist>

    """
  }
}
