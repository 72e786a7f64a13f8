import JSON
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import Synchronization

/// `api/…`: says what is not open to extensions, by the table that `host verify` uses, and logs who tried it.
public final class APIService: HostService {
  /// The one method that is served, `api/report`.
  public typealias Contract = API

  private let log: any LogSink
  /// What is in the log already, by caller: names of the table only, so that no caller makes it grow.
  private let reported = Mutex<[UInt64: Set<String>]>([:])

  /// - Parameter log: hears of each symbol that is not open to extensions, once for each process of an extension.
  public init(log: any LogSink = NoLog()) { self.log = log }

  /// Answers `api/report`, and logs a symbol that is not open the first time a process names it.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(API.Report.self) { params, caller in try self.answer(params.symbol, to: caller) }
  }

  /// Forgets what the process has reported, so that its next instance is logged again.
  public func callerDidExit(_ caller: Caller) async {
    reported.withLock { _ = $0.removeValue(forKey: caller.instance) }
  }

  private func answer(_ symbol: String, to caller: Caller) throws(ExtensionError) -> API.Report.Result {
    guard 1...API.Report.symbolLimit ~= symbol.utf8.count else {
      throw ExtensionError(
        .invalidParams, "The symbol has \(symbol.utf8.count) bytes; it may have 1 to \(API.Report.symbolLimit).",
        recovery: "Name one C function, one library or one Swift module.")
    }
    guard let (name, row) = UnsafeSymbols.row(about: symbol) else { return API.Report.Result(allowed: true) }
    if reported.withLock({ $0[caller.instance, default: []].insert(name).inserted }) {
      log.log(
        .warning, "An extension tried to use what is not open to extensions.",
        metadata: [
          "extension.id": .string(caller.identity.id), "error.code": .string(ExtensionError.Code.apiUnavailable.name),
          "symbol": .string(name), "reason": .string(row.reason), "instead": .string(row.replacement),
        ])
    }
    return API.Report.Result(allowed: false, reason: row.reason, replacement: row.replacement)
  }
}
