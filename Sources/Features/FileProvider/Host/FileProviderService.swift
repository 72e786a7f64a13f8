public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import Synchronization

/// `provider/…`: writes placeholders, and coordinates the use of documents.
public final class FileProviderService: HostService {
  /// The methods that are served, those under `provider/`.
  public typealias Contract = FileProvider

  /// An app's documents, from the manifests.
  public struct App: Sendable {
    /// `NSExtensionFileProviderDocumentGroup` of its file provider.
    public var group: String
    /// The `purposeIdentifier` of its file provider: by default the app's own identifier.
    public var providerIdentifier: String

    /// Creates the description of an app: its document group, and the purpose with which its provider coordinates.
    public init(group: String, providerIdentifier: String) {
      self.group = group
      self.providerIdentifier = providerIdentifier
    }
  }

  /// The longest purpose, in bytes.
  static let purposeLimit = 256

  private let directory: StateDirectory
  private let app: @Sendable (String) -> App?
  private let times: FileCoordinator.Times
  private let clock: any Clock<Duration>
  private struct Open {
    /// The coordinators by app; the newest one is used.
    var coordinators: [String: [FileCoordinator]] = [:]
    var last: UInt64 = 0
  }

  private let open = Mutex(Open())

  /// - Parameters:
  ///   - state: the state directory, which holds the containers of app groups.
  ///   - times: the time limits for the use of documents.
  ///   - clock: the clock of these limits. Tests set it.
  ///   - app: returns the documents of an app; `nil` for an app without any.
  public init(
    state: StateDirectory, times: FileCoordinator.Times = FileCoordinator.Times(),
    clock: any Clock<Duration> = ContinuousClock(), app: @escaping @Sendable (String) -> App?
  ) {
    directory = state
    self.app = app
    self.times = times
    self.clock = clock
  }

  /// Answers the methods under `provider/`, for apps whose manifest names a document group. Coordination needs
  /// documents that are open: `providerNotFound` of `NSFileProviderErrorDomain` otherwise.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(FileProvider.WritePlaceholder.self) { params, caller in
      FileProvider.WritePlaceholder.Result(
        placeholderPath: try self.storage(of: caller.identity).writePlaceholder(of: params.path, params.metadata))
    }
    Handler(FileProvider.Coordinate.self) { params, caller in
      guard params.purposeIdentifier?.utf8.count ?? 0 <= Self.purposeLimit else {
        throw ExtensionError(
          .invalidParams, "A purposeIdentifier has at most \(Self.purposeLimit) bytes.",
          recovery: "Pass the identifier of the app, or nothing.")
      }
      let coordinator = try self.coordinator(of: caller)
      let token = try await coordinator.claim(
        params.path, for: params.intent, options: params.options, purpose: params.purposeIdentifier,
        owner: caller.instance)
      return FileProvider.Coordinate.Result(token: "\(coordinator.number).\(token)", path: params.path)
    }
    Handler(FileProvider.Uncoordinate.self) { params, caller in
      let parts = params.token.split(separator: ".").compactMap { UInt64($0) }
      guard parts.count == 2, parts.map(String.init).joined(separator: ".") == params.token else {
        throw ExtensionError(
          .invalidParams, "There is no token \(params.token.prefix(60)).",
          recovery: "Give each token back once, as provider/coordinate returned it.")
      }
      // Documents that have been closed since hold nothing any more.
      self.open.withLock { $0.coordinators[caller.identity.containingApp] }?
        .first { $0.number == parts[0] }?
        .giveBack(parts[1], by: caller.instance)
      return Empty()
    }
  }

  /// Takes back what the process holds, so that others do not wait for it.
  public func callerDidExit(_ caller: Caller) async {
    let all = open.withLock { $0.coordinators[caller.identity.containingApp] ?? [] }
    for coordinator in all { coordinator.ownerDidExit(caller.instance) }
  }

  /// Opens the documents of an app, runs the body, and closes them: what was provided is given up.
  ///
  /// - Parameters:
  ///   - identity: of the file provider, or of a document picker of the app.
  ///   - provider: the running file provider; without one, only documents that are here can be used.
  ///   - body: uses the documents; nothing of them is valid afterwards.
  /// - Throws: `invalidParams` with the rule `noStorage` when the app has none; what the body throws.
  public func withDocuments<Result>(
    of identity: Caller.Identity, provider: ExtensionProcess?, _ body: (FileCoordinator) async throws -> Result
  ) async throws -> Result {
    let storage = try storage(of: identity)
    try storage.make()
    let number = open.withLock { open in
      open.last += 1
      return open.last
    }
    let coordinator = FileCoordinator(
      number, storage: storage,
      providerIdentifier: app(identity.containingApp)?.providerIdentifier ?? identity.containingApp,
      provider: provider, times: times, clock: clock)
    open.withLock { $0.coordinators[identity.containingApp, default: []].append(coordinator) }
    defer { open.withLock { $0.coordinators[identity.containingApp]?.removeAll { $0 === coordinator } } }
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask { await coordinator.run() }
      let outcome: Swift.Result<Result, any Error>
      do { outcome = .success(try await body(coordinator)) } catch { outcome = .failure(error) }
      await coordinator.close()
      return outcome
    }
    return try outcome.get()
  }

  /// Returns the storage for a picker; `nil` for an app without documents.
  func reference(for identity: Caller.Identity) -> (storage: FileProvider.Storage, providerIdentifier: String)? {
    guard let app = app(identity.containingApp), identity.groups.contains(app.group) else { return nil }
    return (FileProvider.Storage(group: app.group), app.providerIdentifier)
  }

  /// The document storage of an app.
  package func storage(of identity: Caller.Identity) throws(ExtensionError) -> DocumentStorage {
    guard let reference = reference(for: identity)?.storage else {
      throw .document(.noStorage, "The app \(identity.containingApp) has no document storage.")
    }
    let user = try directory.fileUser(ofApp: identity.containingApp)
    return DocumentStorage(container: container(ofGroup: reference.group), reference: reference, user: user)
  }

  func container(ofGroup group: String) -> String { "\(directory.path)/groups/\(group)" }

  func container(of identity: Caller.Identity) -> String { "\(directory.path)/containers/\(identity.id)" }

  private func coordinator(of caller: Caller) throws(ExtensionError) -> FileCoordinator {
    let app = caller.identity.containingApp
    if let coordinator = open.withLock({ $0.coordinators[app]?.last }) { return coordinator }
    throw .fileProvider(.providerNotFound, "No program uses the documents of \(app) now.")
  }
}
