import EventLoop
import ExtensionHosting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A watch over the places of a registry` {
  static let places = [
    "record", "apps", "apps/Notes.app", "apps/Notes.app/PlugIns", "apps/Notes.app/PlugIns/Clock.appex",
    "apps/Notes.app/Points", "manifests/own", "manifests/own/Points", "manifests/Plugins", "announced", "products",
  ]

  private let fixture: BundleFixture
  private let sources: RegistrySources

  init() throws {
    fixture = try BundleFixture()
    let (folder, bundle) = (fixture.folder, try fixture.write("apps/Notes.app"))
    let tool = BundleFixture.manifest("com.example.tool", executable: "tool", type: "APPL", version: "1", "")
    try folder.write("manifests/own/Tool.plist", tool.utf8)
    try folder.writeExecutable("products/tool")
    for place in Self.places + ["elsewhere"] { try folder.write("\(place)/old", "old".utf8) }
    var sources = RegistrySources(
      bundles: [bundle],
      manifestFolders: [.init(path: "\(folder.path)/manifests/own", products: "\(folder.path)/products")])
    sources.announcements = ["\(folder.path)/announced"]
    self.sources = sources
  }

  private func isHeard(_ change: @escaping @Sendable () -> Void) async -> Bool {
    let loop = EventLoop.onThread(name: "registry-watch-test")
    defer { loop.stop() }
    let (sources, record) = (sources, "\(fixture.folder.path)/record/registry.json")
    let registry = ExtensionRegistry(sources)
    return await withCheckedContinuation { continuation in
      loop.execute {
        var isHeard = false
        RegistryWatch(on: loop) { isHeard = true }?.follow(sources, registry, record: record)
        change()
        loop.afterWhatIsReady { continuation.resume(returning: isHeard) }
      }
    }
  }

  @Test(arguments: places) func `hears of what changes in each of them`(place: String) async {
    let path = "\(fixture.folder.path)/\(place)/old"
    #expect(await isHeard { unlink(path) })
  }

  @Test func `hears that others may write there, and of nothing elsewhere`() async {
    let folder = fixture.folder.path
    #expect(await isHeard { chmod("\(folder)/products", 0o777) })
    #expect(await !isHeard { unlink("\(folder)/elsewhere/old") })
  }
}
