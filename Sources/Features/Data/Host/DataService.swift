import JSON
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC

/// `data/…`: executes operations of Data Connect for extensions, as the signed-in user of their containing app.
///
/// The broker has already asked for the permission. This service limits an extension to the connectors in its manifest,
/// and to queries where the manifest says so. An extension never receives the user's token.
public final class DataService: HostService {
  /// The methods that are served, those under `data/`.
  public typealias Contract = DataContract

  /// Operations of one extension that may be on their way at one time.
  public static let mostInFlight = 8
  /// Subscriptions that one extension may have.
  public static let mostSubscriptions = 16

  private let carrier: (any DataCarrier)?
  /// The queries that extensions executed, followed for the part of the host that shows the results.
  package let followed = FollowedQueries()
  private let rules = KnownByProcess { DataRules($0) }
  private let operations = RequestSlots(limit: mostInFlight)
  private let subscriptions = RequestSlots(limit: mostSubscriptions)

  /// - Parameter carrier: brings operations to a server; without it they are answered with `serviceUnavailable`.
  package init(carrier: (any DataCarrier)?) { self.carrier = carrier }

  /// Answers the methods, for what the caller's manifest asks for.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(DataContract.Execute.self) { params, caller in try await self.execute(params, for: caller) }
    Handler(answering: DataContract.Subscribe.self) { params, caller in try self.subscribe(params, for: caller) }
    Handler(DataContract.Connectors.self) { _, caller in
      let location = self.carrier?.location
      return DataContract.Connectors.Result(
        connectors: self.rules[caller].entries.map {
          DataContract.Connectors.Connector(service: $0.service, connector: $0.connector, location: location)
        })
    }
  }

  /// Carries what is followed, until the task is cancelled.
  public func run() async throws {
    guard let carrier else { return }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await carrier.run() }
      group.addTask { [followed] in try await followed.run(by: carrier) }
      try await group.waitForAll()
    }
  }

  /// Forgets what was worked out for its process.
  public func callerDidExit(_ caller: Caller) async { rules.forget(caller) }

  private func execute(_ params: DataContract.Execute, for caller: Caller) async throws -> DataContract.Outcome {
    let slot = try operations.enter(caller.identity.id)
    defer { withExtendedLifetime(slot) {} }
    let (carrier, call) = try call(
      params, for: caller, kind: params.kind,
      policy: params.kind == .query ? params.fetchPolicy ?? .preferCache : .serverOnly)
    let outcome = try await carrier.execute(call)
    if call.kind == .query { followed.note(call, outcome.data, by: caller.identity.id) }
    guard outcome.data?.hasText(ofAtMost: DataContract.resultLimit) != false else {
      throw ExtensionError(
        .limitExceeded, "The result of “\(call.operation)” has more than \(DataContract.resultLimit) bytes.",
        recovery: "Ask for fewer rows, with limit and offset.",
        details: ["limit": .integer(Int64(DataContract.resultLimit))])
    }
    return outcome
  }

  private func subscribe(
    _ params: DataContract.Subscribe, for caller: Caller
  ) throws -> Answer<DataContract.Subscribe.Result> {
    let slot = try subscriptions.enter(caller.identity.id)
    let query = DataContract.Execute(
      connector: params.connector, operation: params.operation, kind: .query, variables: params.variables,
      cache: params.cache, location: params.location, emulator: params.emulator, account: params.account)
    let (carrier, call) = try call(query, for: caller, kind: .query, policy: .preferCache)
    let stream = try caller.openStream()
    let loop = caller.process.loop
    return Answer(DataContract.Subscribe.Result(stream: stream.id)).filling(stream) {
      defer { withExtendedLifetime(slot) {} }
      try await SubscriptionFeed.pass(of: call, by: carrier, to: stream, on: loop)
    }
  }

  /// Returns the carrier's call for a caller's params.
  ///
  /// - Throws: `permissionDenied`, `invalidParams`; `serviceUnavailable` where there is no server.
  private func call(
    _ params: DataContract.Execute, for caller: Caller, kind: DataContract.Kind, policy: DataContract.FetchPolicy
  ) throws(ExtensionError) -> (any DataCarrier, DataCall) {
    let entry = try rules[caller].entry(params.connector, kind)
    guard (1...256).contains(params.operation.utf8.count), params.operation.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      throw ExtensionError(
        .invalidParams, "“\(params.operation.prefix(200))” is not a name of an operation.",
        recovery: "Give the name as the connector's files write it.")
    }
    if let location = params.location, !DataConnectorEntry.isName(location) {
      throw ExtensionError(
        .invalidParams, "“\(location.prefix(200))” is not a location.",
        recovery: "Give it as dataconnect.yaml does: us-east4.")
    }
    guard let carrier else {
      throw ExtensionError(
        .serviceUnavailable, "There is no Data Connect here for “\(entry.path)”.",
        recovery: "Have the host configured with a project: DATA_CONNECT_PROJECT.")
    }
    if let emulator = params.emulator { try DataRules.check(emulator, isAllowed: carrier.allowsEmulator) }
    return (
      carrier,
      DataCall(
        app: caller.identity.containingApp, service: entry.service, connector: entry.connector,
        location: params.location ?? carrier.location, operation: params.operation, kind: kind,
        variables: params.variables ?? [:], fetchPolicy: policy, cache: params.cache, emulator: params.emulator,
        account: params.account)
    )
  }
}
