public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import Synchronization

/// `url/…`: opens a URL of the caller's containing app, once for each request.
public final class OpenURLService: HostService {
  /// The one method that is served, `url/open`.
  public typealias Contract = OpenURL
  /// Hands a URL to an app.
  public typealias Deliver =
    @Sendable (_ url: String, _ app: String, _ source: OpenURL.Deliver.Source) async throws -> OpenURL.Deliver.Result

  private struct Key: Hashable {
    var instance: UInt64
    var requestID: String
  }

  private let appForScheme: @Sendable (String) async -> String?
  private let deliver: Deliver
  private let requests: RequestService
  private let opened = Mutex<Set<Key>>([])

  /// - Parameters:
  ///   - requests: says whether the caller's request is still open.
  ///   - appForScheme: the identifier of the app that declares a scheme.
  ///   - deliver: starts or reaches the app and hands it the URL.
  public init(
    requests: RequestService, appForScheme: @escaping @Sendable (String) async -> String?, deliver: @escaping Deliver
  ) {
    self.requests = requests
    self.appForScheme = appForScheme
    self.deliver = deliver
  }

  /// Answers `url/open`; what is not opened is an answer with a reason, not an error.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(OpenURL.Open.self) { params, caller in await self.open(params, for: caller) }
  }

  /// Forgets which requests of the process opened a URL.
  public func callerDidExit(_ caller: Caller) async {
    opened.withLock { $0 = $0.filter { $0.instance != caller.instance } }
  }

  private func open(_ params: OpenURL.Open, for caller: Caller) async -> OpenURL.Open.Result {
    func refuse(_ reason: String) -> OpenURL.Open.Result { OpenURL.Open.Result(success: false, reason: reason) }
    guard let scheme = URLScheme.of(params.url), scheme != "file" else { return refuse("malformed") }
    guard requests.isOpen(params.requestID, of: caller) else { return refuse("requestUnknown") }
    guard let app = await appForScheme(scheme) else { return refuse("schemeUnregistered") }
    guard app == caller.identity.containingApp else { return refuse("notContainingApp") }
    let key = Key(instance: caller.instance, requestID: params.requestID)
    let isFirst = opened.withLock { opened in
      // Of requests that are over nothing need be known: a process may live for long.
      opened = opened.filter { $0.instance != caller.instance || requests.isOpen($0.requestID, of: caller) }
      return opened.insert(key).inserted
    }
    guard isFirst else { return refuse("rateLimited") }
    let source = OpenURL.Deliver.Source(bundleID: caller.identity.id, point: caller.identity.point)
    do {
      return OpenURL.Open.Result(success: try await deliver(params.url, app, source).handled)
    } catch {
      return refuse("launchFailed")
    }
  }
}
