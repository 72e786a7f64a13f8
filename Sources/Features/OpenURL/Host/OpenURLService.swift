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
    // The request may have ended while its app was looked for.
    guard requests.isOpen(params.requestID, of: caller) else { return refuse("requestUnknown") }
    let key = Key(instance: caller.instance, requestID: params.requestID)
    let isFirst = opened.withLock { opened in
      // A process may live for long, so entries of ended requests are removed.
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

/// The scheme of a URL (RFC 3986, 3.1).
public enum URLScheme {
  /// - Returns: the scheme in lower case, or `nil` when the text is no URL with one, or holds white space or control
  ///   characters.
  public static func of(_ url: String) -> String? {
    guard let colon = url.utf8.firstIndex(of: 0x3A), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      return nil
    }
    // “K”, the sign of kelvin, is a plain “k” in lower case.
    guard url.utf8[..<colon].allSatisfy({ $0 < 0x80 }) else { return nil }
    let scheme = url[..<colon].lowercased()
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first) else { return nil }
    let isValid = scheme.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
    }
    return isValid && url.index(after: colon) < url.endIndex ? scheme : nil
  }
}
