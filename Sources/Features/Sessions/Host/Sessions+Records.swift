package import Contracts
import HTTPClient
import ExtensionProtocol
import Fetching
package import Transfers

/// Converts the journal's records into those of the wire.
extension Sessions.TaskStatus {
  /// Creates the status of a task from its record in the journal.
  package init(_ record: TransferRecord, error: TransferFailure? = nil) {
    let state: Sessions.State =
      switch record.state {
      case .waiting, .backingOff: .waiting
      case .running: .running
      case .completed: .completed
      case .failed: .failed
      case .cancelled: .cancelled
      }
    self.init(
      taskID: record.id, kind: record.kind == .download ? .download : .upload, url: record.request.url, state: state,
      bytesDone: max(0, record.bytesDone), bytesExpected: record.bytesExpected.map { max(0, $0) },
      destination: record.destination, error: error.map { Sessions.Failure($0) })
  }
}

extension Sessions.Failure {
  /// Creates the error for an extension from that of the journal.
  package init(_ failure: TransferFailure) {
    self.init(
      domain: failure.domain, code: failure.code, localizedDescription: failure.description,
      recovery: failure.recovery)
  }
}

extension Sessions.Event {
  /// Creates the event for an extension from that of the journal.
  package init(_ event: TransferEvent) {
    let type: Sessions.EventType =
      switch event.kind {
      case .didFinishDownloading: .didFinishDownloading
      case .didSendBody: .didSendBody
      case .didComplete: .didComplete
      case .waitingForConnectivity: .waitingForConnectivity
      }
    self.init(
      eventID: event.id, taskID: event.task, type: type, path: event.path,
      response: event.response.map { Sessions.Response($0) }, error: event.error.map { Sessions.Failure($0) })
  }
}

extension Sessions.Response {
  init(_ response: TransferResponse) {
    var headers: [String: String] = [:]
    for field in response.headers.all {
      let name = field.name.lowercased()
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    self.init(status: response.status, headers: headers, url: response.url)
  }
}

extension SessionConfiguration {
  /// Creates the configuration from the caller's, within the limits.
  ///
  /// - Throws: `invalidParams` for header fields that are the host's own, `limitExceeded` for too many.
  init(_ asked: Sessions.Configuration) throws(ExtensionError) {
    self.init()
    sendsLaunchEvents = asked.sessionSendsLaunchEvents ?? sendsLaunchEvents
    isDiscretionary = asked.isDiscretionary ?? isDiscretionary
    timeoutForRequest = Self.time(asked.timeoutIntervalForRequest, 1...86_400) ?? timeoutForRequest
    timeoutForResource = Self.time(asked.timeoutIntervalForResource, 1...(7 * 86_400)) ?? timeoutForResource
    maximumConnectionsPerHost =
      asked.httpMaximumConnectionsPerHost.map { min(max(1, $0), 16) } ?? maximumConnectionsPerHost
    additionalHeaders = try FetchPlan.fields(asked.httpAdditionalHeaders ?? [:])
  }

  private static func time(_ seconds: Double?, _ range: ClosedRange<Double>) -> Duration? {
    seconds.map { .seconds(min(max(range.lowerBound, $0), range.upperBound)) }
  }
}
