import EventLoop
import ExtensionProtocol
import JSON
import Testing

@testable import ExtensionHosting

/// What a host says before any process is started.
@Suite(.timeLimit(.minutes(1)))
struct `A host without processes` {
  private let folder: TemporaryFolder
  private static let (clock, sender) = ("com.example.notes.clock", "com.example.notes.sender")

  init() throws {
    folder = try TemporaryFolder()
    try write("com.example.notes", point: nil)
    try write(Self.clock, point: .clock)
    try write(Self.sender, point: .sender)
  }

  private func write(_ id: String, point: ExtensionPoint?) throws {
    let attributes = "<key>NSExtensionActivationRule</key><string>FALSEPREDICATE</string>"
    let section = point.map {
      """
      <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key><string>\($0.rawValue)</string>
      <key>NSExtensionAttributes</key><dict>\($0 == .sender ? attributes : "")</dict></dict>
      """
    }
    try folder.writeExecutable("products/program")
    try folder.write(
      "Manifests/\(id).plist",
      """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>\(id)</string>
      <key>CFBundleExecutable</key><string>program</string><key>CFBundleName</key><string>Clock</string>
      <key>CFBundlePackageType</key><string>\(point == nil ? "APPL" : "XPC!")</string>
      <key>CFBundleVersion</key><string>7</string>\(section ?? "")</dict></plist>
      """.utf8)
  }

  private func host(_ change: (inout ExtensionHost.Configuration) -> Void = { _ in }) throws -> ExtensionHost {
    let sources = RegistrySources(
      manifestFolders: [.init(path: "\(folder.path)/Manifests", products: "\(folder.path)/products")])
    var configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(sources), state: StateDirectory(path: "\(folder.path)/state"),
      launcherPath: "/none")
    configuration.raisesDescriptorLimit = false
    change(&configuration)
    return try ExtensionHost(configuration: configuration, services: [])
  }

  private func error(_ body: () async throws -> Void) async -> ExtensionError? {
    do { try await body() } catch { return error as? ExtensionError }
    return nil
  }

  @Test func `starts ahead what may be kept, when it runs and keeps anything`() async throws {
    let host = try host()
    let never = await error { try await host.prewarm(Self.sender) }
    #expect(never?.code == .pointDisallows && never?.message == "Extensions for sender are not started ahead.")
    #expect(never?.recovery == "Start Clock when the user asks for it.")
    let idle = await error { try await host.prewarm(Self.clock) }
    #expect(idle?.code == .shuttingDown && idle?.recovery == "Call ExtensionHost.run() first.")
    #expect(await error { try await host.prewarm("zebra") }?.code == .extensionUnknown)
    let none = try self.host { $0.warm.capacity = 0 }
    let refused = await error { try await none.prewarm(Self.clock) }
    #expect(refused?.code == .limitExceeded)
    #expect(refused?.message == "This host keeps no processes: Configuration.warm.capacity is 0.")
    let other = try self.host { $0.refusedPoints = [.clock] }
    let point = await error { try await other.prewarm(Self.clock) }
    #expect(point?.code == .pointDisallows && point?.message == "This host uses no extensions for clock.")
    #expect(point?.recovery == "Use Clock in another host app.")
    for host in [host, none, other] { #expect(await host.metrics().openRequests == 0) }
  }

  @Test func `counts each request, under its name if it is one of an extension`() async throws {
    let host = try host { $0.refusedPoints = [.clock] }
    #expect(await host.metrics().extensions.isEmpty)
    for round in 1...2 as ClosedRange<Int64> {
      for id in [Self.clock, "zebra", "yak"] {
        #expect(await error { try await host.withExtension(id) { _ in } } != nil)
      }
      let metrics = await host.metrics()
      #expect(metrics.extensions.keys.sorted() == [Self.clock, "other"])
      #expect(metrics.extensions[Self.clock]?.requests.errors == round)
      #expect(metrics.extensions["other"]?.requests.errors == 2 * round)
      #expect(metrics.requestErrors == ["pointDisallows": round, "extensionUnknown": 2 * round])
      #expect(metrics.openRequests == 0 && metrics.waitingRequests == 0 && metrics.alive == 0 && metrics.kept == 0)
      #expect(metrics.descriptors > 0 && metrics.descriptorLimit > 0)
    }
  }

  @Test func `runs until it is shut down, and takes nothing from then on`() async throws {
    let host = try host()
    #expect(await !host.isRunning)
    let running = Task { try await host.run() }
    await until { await host.isRunning }
    #expect(!host.isShuttingDown)
    for _ in 0..<2 {
      #expect(await host.shutdown() == 0)
      #expect(host.isShuttingDown)
      #expect(await error { try await host.withExtension(Self.clock) { _ in } }?.code == .shuttingDown)
      #expect(await error { try await host.prewarm(Self.clock) }?.code == .shuttingDown)
      #expect(await error { try await host.withApp("com.example.notes") { _ in } }?.code == .shuttingDown)
    }
    try await running.value
    #expect(await !host.isRunning)
    #expect(await host.metrics().requestErrors == [:])
  }

  @Test func `counts a process while it is there, also one that it has not started and that says nothing`() async throws
  {
    let host = try host()
    let identity = Caller.Identity(
      id: Self.clock, version: "7", displayName: "Clock", point: .clock, containingApp: "com.example.notes",
      groups: [], entitlements: [])
    let link = FakeLink(on: host.loop)
    let target = LaunchTarget(identity: identity, executable: "/none")
    await #expect(throws: ExtensionError.self) { try await host.serve(link, target) { _ in } }
    #expect(link.ends.count == 1 && link.cleanUps == 1)
    #expect(await host.surroundings.processes == 0)
  }

  @Test func `greets an extension with what it is and may do`() throws {
    let host = try host {
      $0.peer = Peer(name: "notes", version: "3")
      $0.limits[.clock] = ExtensionLimits(memoryMiB: 48)
      $0.deadlines.handshake = .milliseconds(1_500)
    }
    let identity = Caller.Identity(
      id: Self.clock, version: "7", displayName: "Clock", point: .clock, containingApp: "com.example.notes",
      groups: [], entitlements: ["content", "network", "content"])
    let directories = Initialize.Directories(scratch: "/s", container: "/c", groups: [:])
    let target = LaunchTarget(identity: identity, executable: "/none")
    let greeting = host.parameters(target, directories, ["network": .denied, "auth": .undecided])
    #expect(greeting.permissions == ["content": "granted", "network": "denied", "auth": "undecided"])
    #expect(greeting.host == Peer(name: "notes", version: "3") && greeting.directories == directories)
    #expect(
      greeting.extension
        == .init(
          id: Self.clock, version: "7", point: .clock, pointVersion: .first, containingApp: "com.example.notes"))
    #expect(greeting.limits["memoryMiB"] == 48 && greeting.limits["handshakeMs"] == 1_500)
    #expect(greeting.protocolVersions == ["1.0"])
    // Where the host says nothing, the point does.
    #expect(try self.host().parameters(target, directories, [:]).limits["memoryMiB"] == 32)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A turn to launch` {
  @Test func `is given back once, and counted once`() async throws {
    let loop = EventLoop.onThread(name: "launch-turn")
    defer { loop.stop() }
    let line = FairLine(.init(inside: 2, insideOfEach: 2, waiting: 0), on: loop)
    let meter = HostMeter()
    for (count, isLaunched) in [true, false].enumerated() {
      for _ in 0..<2 { try await line.enter("a", within: .seconds(3_600)) }
      let turn = LaunchTurn("a", in: line, meter: meter)
      for isLaunched in [isLaunched, false, true] { turn.finish(isLaunched: isLaunched) }
      #expect(meter.snapshot.launches.times.count == Int64(count + 1))
      #expect(meter.snapshot.launches.errors == Int64(count))
      await until { await line.counts.inside < 2 }
      // Whatever was to be done on the loop is done after so many turns.
      for _ in 0..<20 { _ = await line.counts }
      #expect(await line.counts.inside == 1)
      await line.leave("a")
    }
    #expect(await line.counts.inside == 0)
  }
}
