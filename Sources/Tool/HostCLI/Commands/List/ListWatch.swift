import CommandLineTool
import CommandRuntime
import EventLoop
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// `host list --watch`: prints what becomes of extensions and apps until it is interrupted.
enum ListWatch {
  /// A program that writes files is let finish before they are read.
  private static let pause = Duration.milliseconds(50)

  static func run(_ invocation: Invocation, filter: ListFilter) async throws -> ExitStatus {
    try await invocation.watching { try await watch(invocation, filter: filter) }
  }

  private static func watch(_ invocation: Invocation, filter: ListFilter) async throws {
    let state = try invocation.state()
    let record = RegistryFile.path(in: state)
    _ = try state.folder("store")
    let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let watch = RegistryWatch(on: invocation.loop, changed: { continuation.yield() }) else {
      throw ExtensionError(
        .limitExceeded, "The kernel offers no more file watches.",
        recovery: "Raise fs.inotify.max_user_instances, or end other programs that watch files.")
    }
    defer { watch.stop() }
    let cache = ManifestCache(state: state)
    var before = ExtensionRegistry(RegistrySources())
    continuation.yield()
    var isFirst = true
    var isDamaged = false
    for await _ in changes {
      if !isFirst { try await invocation.loop.sleep(for: pause) }
      let found = Result { try invocation.registrySources() }
      if case .failure(let error) = found, !isFirst {
        // What was shown stays true until somebody has mended it.
        if !isDamaged { invocation.console.warn("\(error)") }
        isDamaged = true
        continue
      }
      var sources = try found.get()
      (isFirst, isDamaged) = (false, false)
      sources.cache = cache
      let points = invocation.points(announced: AnnouncedPoints(sources))
      var now = ExtensionRegistry(sources, points: points)
      watch.follow(sources, now, record: record)
      // What changed between reading and watching is seen here.
      now = ExtensionRegistry(sources, points: points)
      let shown = Set([before, now].flatMap { filter.entries(of: $0).map(\.identifier) })
      report(now.events(since: before).filter { shown.contains($0.identifier) }, now, invocation)
      before = now
    }
  }

  private static func report(
    _ changes: [ExtensionRegistry.Change], _ registry: ExtensionRegistry, _ invocation: Invocation
  ) {
    for change in changes {
      guard invocation.wantsJSON else {
        let reasons = change.reasons.isEmpty ? "" : ": \(change.reasons.joined(separator: "; "))"
        invocation.console.print("\(change.kind.rawValue) \(change.identifier)\(reasons)")
        continue
      }
      var object = JSONObject()
      object["event"] = .string(change.kind.rawValue)
      object["id"] = .string(change.identifier)
      object["state"] = registry.entry(change.identifier).map { .string($0.state.name) } ?? .null
      object["reasons"] = .array(change.reasons.map { .string($0) })
      invocation.printJSONLine(.object(object))
    }
  }
}
