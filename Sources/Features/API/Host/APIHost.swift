public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSON
import Synchronization

package enum APIHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> APIService { APIService(log: environment.log) }
}

/// `api/…`: tells extensions what they may not use, from the table of `host verify`, and logs the attempts.
public final class APIService: HostService {
  /// The one method that is served, `api/report`.
  public typealias Contract = API

  private let log: any LogSink
  /// The symbols that are already logged, by caller. Only names of the table are added, so a caller cannot make the set
  /// grow without limit.
  private let reported = Mutex<[UInt64: Set<String>]>([:])

  /// - Parameter log: receives one entry for each forbidden symbol and process of an extension.
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
