import JSON
import EventLoop
public import ExtensionProtocol
import Text

extension ExtensionHost {
  /// Returns the extensions at a point as they appear, change and disappear: those that exist at first, and again after
  /// every change. While the sequence is read, the host starts the extensions that exist now, not those that existed
  /// when it was made.
  ///
  /// ```swift
  /// for await renderers in host.monitor(Renderer.self) {
  ///   menu.show(renderers.extensions.map(\.displayName))
  /// }
  /// ```
  ///
  /// The kernel reports changes in the folders; without a change nothing is read.
  ///
  /// - Parameters:
  ///   - point: the extension point.
  ///   - record: the file with the user's decisions about the registry (``RegistryRecord``), where there is one.
  public func monitor(_ point: any PointContract.Type, record: String? = nil) -> ExtensionMonitor {
    monitor(point.point, record: record)
  }

  /// The extensions at a point as they come, change and go, as ``monitor(_:record:)-(PointContract.Type,_)`` has them.
  public func monitor(_ point: ExtensionPoint, record: String? = nil) -> ExtensionMonitor {
    ExtensionMonitor(host: self, point: point, record: record)
  }
}

/// The extensions at one point, again and again.
public struct ExtensionMonitor: AsyncSequence, Sendable {
  /// What there is at one moment.
  public struct Element: Sendable {
    /// The extensions that can be used, in the order of identifiers.
    public let extensions: [RegistryEntry]
    /// All of them, also those that cannot be used: their states say why.
    public let all: [RegistryEntry]
    /// What has happened since the element before; in the first one, what is there has been added.
    public let changes: [ExtensionRegistry.Change]
  }

  /// The sequence ends when its task is cancelled, and when the kernel has no more watches, which the log reports.
  public typealias Failure = Never

  let host: ExtensionHost
  let point: ExtensionPoint
  let record: String?

  /// Each reader has watches of its own.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives one element after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let monitor: ExtensionMonitor
    private let following: Following
    private var changes: AsyncStream<Void>.Iterator
    private var before: ExtensionRegistry?
    /// A program that writes files is let finish before they are read.
    private static let pause = Duration.milliseconds(50)

    init(_ monitor: ExtensionMonitor) {
      self.monitor = monitor
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      following = Following(RegistryFollower(on: monitor.host.loop, continuation))
      changes = stream.makeAsyncIterator()
    }

    /// The next element; the first one comes at once. `nil` when the task is cancelled.
    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// The next element, for callers of an actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      while !Task.isCancelled {
        if before == nil {
          guard await following.follower.open() else {
            monitor.host.configuration.log.log(
              .error, "The kernel offers no more file watches: what becomes of extensions is not seen.", metadata: [:])
            return nil
          }
        } else {
          guard await changes.next(isolation: actor) != nil else { return nil }
          do { try await monitor.host.loop.sleep(for: Self.pause) } catch { return nil }
        }
        guard let now = await monitor.readAndFollow(following.follower) else {
          // The last list stays valid until the record has been repaired.
          if before == nil { before = ExtensionRegistry(RegistrySources(), points: monitor.host.configuration.points) }
          continue
        }
        let isFirst = before == nil
        let earlier = before ?? ExtensionRegistry(RegistrySources(), points: now.points)
        before = now
        monitor.host.registry = now
        let changes = monitor.changes(from: earlier, to: now)
        guard isFirst || !changes.isEmpty else { continue }
        return Element(
          extensions: now.extensions(at: monitor.point), all: now.entries.filter { $0.point == monitor.point },
          changes: changes)
      }
      return nil
    }
  }

  /// What the sources hold now, watched from now on; `nil` when the record cannot be read.
  fileprivate func readAndFollow(_ follower: RegistryFollower) async -> ExtensionRegistry? {
    // A record that cannot be read is watched as well, until it is repaired.
    let found = await read()
    await follower.follow(found ?? host.registry, record: record)
    // What changed between reading and watching is seen here.
    return await read()
  }

  /// What the sources hold now; `nil` when the record cannot be read.
  private func read() async -> ExtensionRegistry? {
    let (registry, record, own) = (host.registry, record, host.configuration.registry.sources.bundles)
    let read = await SystemThread.run(name: "annex-registry") { () -> Result<ExtensionRegistry, ExtensionError> in
      guard let record else { return .success(registry.readAgain()) }
      return Result { () throws(ExtensionError) in
        var sources = RegistrySources(
          record: try RegistryRecord.load(from: record), manifestFolders: registry.sources.manifestFolders)
        let added = sources.bundles
        sources.bundles += own.filter { bundle in !added.contains { $0.hasBytes(of: bundle) } }
        sources.cache = registry.sources.cache
        return ExtensionRegistry(sources, points: registry.points)
      }
    }
    switch read {
    case .success(let registry): return registry
    case .failure(let error):
      host.configuration.log.log(
        .warning, "what becomes of extensions cannot be read", metadata: ["why": .string(error.message)])
      return nil
    }
  }

  fileprivate func changes(from earlier: ExtensionRegistry, to now: ExtensionRegistry) -> [ExtensionRegistry.Change] {
    let concerned = Set([earlier, now].flatMap(\.entries).filter { $0.point == point }.map(\.identifier))
    return now.events(since: earlier).filter { concerned.contains($0.identifier) }
  }
}

/// Ends the watches when the reader is gone.
private final class Following: Sendable {
  let follower: RegistryFollower
  init(_ follower: RegistryFollower) { self.follower = follower }
  deinit { follower.loop.execute { [follower] in follower.assumeIsolated { $0.close() } } }
}

/// Holds the watches, on the loop.
private actor RegistryFollower {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let continuation: AsyncStream<Void>.Continuation
  private var watch: RegistryWatch?

  init(on loop: EventLoop, _ continuation: AsyncStream<Void>.Continuation) {
    self.loop = loop
    self.continuation = continuation
  }

  func open() -> Bool {
    watch = watch ?? RegistryWatch(on: loop) { [continuation] in continuation.yield() }
    return watch != nil
  }

  func follow(_ registry: ExtensionRegistry, record: String?) {
    watch?.follow(registry.sources, registry, record: record)
  }

  func close() {
    watch?.stop()
    watch = nil
    continuation.finish()
  }
}
