internal import ConfigurationFiles
public import DataConnectWire
internal import HTTPClient
internal import JSON
internal import Text

/// Carries the operations of an ordinary program to a server of Data Connect, or to an emulator, with a cache and
/// subscriptions. `DataConnect.install` takes it. An extension needs none: its host carries its operations.
public final class ServerTransport: DataConnectTransport {
  /// Returns the ID token of the signed-in user, a JSON Web Token; `nil` when nobody is signed in.
  ///
  /// - Parameter forceRefresh: whether the server has refused the token that was given before.
  public typealias TokenProvider = @Sendable (_ forceRefresh: Bool) async throws -> String?

  private let client: DataConnectClient
  private let project: String
  private let apiKey: Secret?
  private let provider: TokenProvider?

  /// Creates a transport, which opens no connection and no file before the first operation.
  ///
  /// - Parameters:
  ///   - project: the project of the services.
  ///   - apiKey: the key of the project's app, which emulators do not ask for.
  ///   - cacheFolder: the folder of the result cache of connectors with a persistent cache; `nil` keeps it in memory.
  ///   - certificateFile: trusted certificates in PEM, in place of those of the system.
  ///   - token: gives the token of the user. Without it nobody is signed in.
  public init(
    project: String, apiKey: String? = nil, cacheFolder: String? = nil, certificateFile: String? = nil,
    token: TokenProvider? = nil
  ) {
    var http = HTTPClient.Configuration()
    http.certificateFile = certificateFile
    client = DataConnectClient(
      DataConnectClient.Configuration(http: HTTPClient(configuration: http), cacheFolder: cacheFolder))
    self.project = project
    self.apiKey = apiKey.map { Secret($0) }
    provider = token
  }

  /// Runs the subscriptions until the task is cancelled. A program that subscribes calls it once, in a task of its own;
  /// operations that are executed once do not need it.
  public func run() async { await client.run() }

  /// Executes an operation once.
  ///
  /// - Throws: `DataConnectOperationError` when there is no response at all; errors in a response are part of it.
  public func execute(_ request: OperationRequest) async throws -> OperationResponse {
    let user = try await user(of: request)
    do throws(DataConnectFailure) {
      return OperationResponse(
        try await client.execute(
          operation(request), at: endpoint(request), user: user, policy: request.fetchPolicy,
          cache: request.settings.cacheSettings, token: source(request)))
    } catch {
      throw DataConnectOperationError(message: error.description, underlyingError: error)
    }
  }

  /// The results of a query: the first, then one for each change, until the stream is dropped. ``run()`` makes them come.
  public func subscribe(_ request: OperationRequest) -> AsyncThrowingStream<OperationResponse, any Error> {
    let feed = Feed { [self] in
      client.subscribe(
        operation(request), at: endpoint(request), user: try await user(of: request),
        cache: request.settings.cacheSettings, token: source(request))
    }
    return AsyncThrowingStream { try await feed.next() }
  }

  /// The results of a subscription, which begins when the first is asked for.
  private actor Feed {
    private let open: @Sendable () async throws -> AsyncThrowingStream<DataResponse, any Error>
    private var iterator: AsyncThrowingStream<DataResponse, any Error>.AsyncIterator?

    init(_ open: @escaping @Sendable () async throws -> AsyncThrowingStream<DataResponse, any Error>) {
      self.open = open
    }

    func next() async throws -> OperationResponse? {
      do {
        if iterator == nil { iterator = try await open().makeAsyncIterator() }
        guard var current = iterator else { return nil }
        let response = try await current.next(isolation: self)
        iterator = current
        return response.map { OperationResponse($0) }
      } catch let failure as DataConnectFailure {
        throw DataConnectOperationError(message: failure.description, underlyingError: failure)
      }
    }
  }

  // MARK: Where to

  private func operation(_ request: OperationRequest) -> DataOperation {
    DataOperation(request.operation, kind: request.kind, variables: request.variables)
  }

  /// A server without encryption has to be on this machine, since tokens go there.
  private func endpoint(_ request: OperationRequest) -> DataConnectEndpoint {
    let (connector, emulator) = (request.connector, request.emulator)
    let isSecure = emulator == nil && request.settings.sslEnabled
    return DataConnectEndpoint(
      host: emulator?.host ?? request.settings.host, port: emulator?.port ?? request.settings.port, isSecure: isSecure,
      project: project, location: connector.location, service: connector.serviceId, connector: connector.connector,
      apiKey: emulator == nil ? apiKey : nil, isLoopbackOnly: !isSecure)
  }

  // MARK: Who

  private func user(of request: OperationRequest) async throws -> String? {
    try await source(request)(false)?.user
  }

  private func source(_ request: OperationRequest) -> TokenSource {
    let isEmulator = request.emulator != nil
    return { [provider] forceRefresh in
      guard let text = try await provider?(forceRefresh) else { return nil }
      return try IDToken(webToken: text, isEmulator: isEmulator)
    }
  }
}

extension IDToken {
  /// - Parameter isEmulator: whether the signature is left out: an emulator accepts any claims, and a program that listens
  ///   at its port cannot use an unsigned token elsewhere.
  /// - Throws: `DataConnectFailure` for a text that is not a token with a user.
  fileprivate init(webToken text: String, isEmulator: Bool) throws {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, text.utf8.count <= 64 << 10, let payload = Base64URL.decode(String(parts[1])),
      let claims = try? JSONCoding.parse(payload),
      let user = (claims["sub"] ?? claims["user_id"])?.stringValue, !user.isEmpty
    else {
      throw DataConnectFailure(
        .unauthenticated, "The token of the user is not a JSON Web Token with the claim sub.",
        recovery: "Give the ID token of the identity server.")
    }
    let header = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
    self.init(text: Secret(isEmulator ? "\(header).\(parts[1])." : text), user: user)
  }
}

extension OperationResponse {
  fileprivate init(_ response: DataResponse) {
    let errors = response.errors.prefix(100).map { error in
      OperationFailureResponse.Failure(
        message: String((error["message"]?.stringValue ?? "The server names no reason.").prefix(2_000)),
        path: (error["path"]?.arrayValue ?? []).compactMap { step in
          step.stringValue.map { .field($0) } ?? step.integerValue.flatMap { Int(exactly: $0) }.map { .listIndex($0) }
        })
    }
    self.init(data: response.data, errors: errors, source: response.source)
  }
}
