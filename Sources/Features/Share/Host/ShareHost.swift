public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

package enum ShareHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> ShareService { ShareService() }
}

/// `share/…`: receives the calls of Share extensions about open sheets.
public final class ShareService: HostService {
  /// The one method that is served, `share/setContentState`.
  public typealias Contract = Share

  struct Key: Hashable {
    var instance: UInt64
    var requestID: String
  }

  private let sheets = Mutex<[Key: ShareSheet]>([:])

  /// Creates a service without sheets; each is opened with a request of a Share extension.
  public init() {}

  /// Answers `share/setContentState`, for a sheet of the caller that is open.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Share.SetContentState.self) { params, caller in
      let key = Key(instance: caller.instance, requestID: params.requestID)
      guard let sheet = self.sheets.withLock({ $0[key] }) else {
        throw ExtensionError(.requestUnknown, "There is no open sheet for the request \(params.requestID).")
      }
      sheet.set(params.state)
      return Empty()
    }
  }

  /// Forgets the sheets of the process.
  public func callerDidExit(_ caller: Caller) async {
    sheets.withLock { $0 = $0.filter { $0.key.instance != caller.instance } }
  }

  func open(_ sheet: ShareSheet) { sheets.withLock { $0[sheet.key] = sheet } }

  func close(_ sheet: ShareSheet) {
    sheets.withLock { _ = $0.removeValue(forKey: sheet.key) }
    sheet.end()
  }
}
