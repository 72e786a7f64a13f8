import ExtensionHosting
import ExtensionProtocol
import Glibc
import Testing

/// Clocks as a folder of manifests comes to have them.
@Suite(.timeLimit(.minutes(1))) struct `What becomes of extensions` {
  private enum Clock: PointContract {
    static let definition = ExtensionPointTable.testing.definition(of: .clock)
  }

  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String) throws { try folder.write(name, text.utf8) }

  private func manifest(_ identifier: String, point: String? = nil, version: Int = 1) -> String {
    let section =
      point.map {
        "<key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\($0)</string></dict>"
      } ?? ""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>\(identifier)</string>
      <key>CFBundleExecutable</key><string>true</string>
      <key>CFBundlePackageType</key><string>\(point == nil ? "APPL" : "XPC!")</string>
      <key>CFBundleVersion</key><string>\(version)</string>\(section)
      </dict></plist>
      """
  }

  private func host(log: any LogSink = NoLog()) throws -> ExtensionHost {
    let sources = RegistrySources(manifestFolders: [.init(path: folder.path, products: "/bin")])
    return try ExtensionHost(
      configuration: ExtensionHost.Configuration(
        registry: ExtensionRegistry(sources, points: .testing), state: StateDirectory(path: "\(folder.path)/state"),
        launcherPath: "/nonexistent", log: log), services: [])
  }

  @Test func `is told as it happens`() async throws {
    try write(manifest("com.example.app"), to: "App.plist")
    let host = try host()
    let record = "\(folder.path)/registry.json"
    var clocks = host.monitor(Clock.self, record: record).makeAsyncIterator()
    let begin = await clocks.next()
    let first = try #require(begin)
    #expect(first.extensions.isEmpty && first.changes.isEmpty)

    let (clock, sender) = (ExtensionPoint.clock.rawValue, ExtensionPoint.sender.rawValue)
    try write(manifest("com.example.app.sender", point: sender), to: "Sender.plist")
    try write(manifest("com.example.app.clock", point: clock), to: "Clock.plist")
    var seen: [String] = []
    while !seen.contains("enabled com.example.app.clock") {
      let next = await clocks.next()
      seen += try #require(next).changes.map { "\($0.kind.rawValue) \($0.identifier)" }
    }
    // Of other points nothing is told, and the host starts what is there now.
    #expect(!seen.contains { $0.contains("sender") })
    #expect(host.registry.extensions(at: .clock).map(\.identifier) == ["com.example.app.clock"])

    try write(manifest("com.example.app.clock", point: clock, version: 2), to: "Clock.plist")
    let newer = try await element(&clocks) { $0.changes.contains { $0.kind == .replaced } }
    #expect(newer.extensions.first?.manifest?.version.description == "2")

    try await RegistryRecord.update(at: record) { $0.elect(.ignore, for: "com.example.app.clock") }
    let ignored = try await element(&clocks) { $0.changes.contains { $0.kind == .disabled } }
    #expect(ignored.extensions.isEmpty && ignored.all.map(\.state.name) == ["ignored"])

    unlink("\(folder.path)/Clock.plist")
    let gone = try await element(&clocks) { $0.changes.contains { $0.kind == .removed } }
    #expect(gone.all.isEmpty)
  }

  @Test func `is told to nobody who has gone`() async throws {
    let host = try host()
    let count = await withTaskGroup(of: Int.self) { group in
      group.addTask {
        var count = 0
        for await _ in host.monitor(.clock) { count += 1 }
        return count
      }
      group.cancelAll()
      return await group.next() ?? -1
    }
    #expect(count <= 1)
  }

  @Test func `is told once the record is repaired that could not be read at first`() async throws {
    try write(manifest("com.example.app"), to: "App.plist")
    try write(manifest("com.example.app.clock", point: ExtensionPoint.clock.rawValue), to: "Clock.plist")
    try write("{", to: "registry.json")
    let log = KeptLog(from: .warning)
    let monitor = try host(log: log).monitor(.clock, record: "\(folder.path)/registry.json")
    async let first = Self.first(of: monitor)
    while !log.lines.contains("what becomes of extensions cannot be read") { await Task.yield() }
    try write(#"{"bundles":[],"elections":{}}"#, to: "registry.json")
    let element = await first
    #expect(element?.extensions.map(\.identifier) == ["com.example.app.clock"])
  }

  private static func first(of monitor: ExtensionMonitor) async -> ExtensionMonitor.Element? {
    for await element in monitor { return element }
    return nil
  }

  private func element(
    _ clocks: inout ExtensionMonitor.Iterator, _ condition: (ExtensionMonitor.Element) -> Bool
  ) async throws -> ExtensionMonitor.Element {
    while true {
      let next = await clocks.next()
      let element = try #require(next)
      if condition(element) { return element }
    }
  }
}
