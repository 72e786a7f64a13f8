public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// `share/…`: takes what Share extensions say of the sheets that are open.
public final class ShareService: HostService {
  public typealias Contract = Share

  struct Key: Hashable {
    var instance: UInt64
    var requestID: String
  }

  private let sheets = Mutex<[Key: ShareSheet]>([:])

  public init() {}

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

  public func callerDidExit(_ caller: Caller) async {
    sheets.withLock { $0 = $0.filter { $0.key.instance != caller.instance } }
  }

  func open(_ sheet: ShareSheet) { sheets.withLock { $0[sheet.key] = sheet } }

  func close(_ sheet: ShareSheet) {
    sheets.withLock { _ = $0.removeValue(forKey: sheet.key) }
    sheet.end()
  }
}
