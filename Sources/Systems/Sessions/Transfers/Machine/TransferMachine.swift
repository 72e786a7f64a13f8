internal import Files
internal import HTTPClient
internal import Text

/// Decides what is done for one task: touches neither files nor network nor clocks.
struct TransferMachine {
  private(set) var record: TransferRecord

  init(_ record: TransferRecord) { self.record = record }

  /// The first step of an attempt.
  enum Start: Equatable {
    case wait(Duration)
    /// Ask the server, for what comes after an offset when that is not 0.
    case request(offset: Int64)
    /// The file is whole: what is left is to move it.
    case move
    /// The file was moved before; only the event is missing.
    case hasMoved
    case fail(TransferFailure)
  }

  /// The use of a response's body.
  enum Body: Equatable {
    /// Behind what is there.
    case append
    /// Into a new file.
    case fresh
    /// The body is discarded.
    case nowhere
    /// The body does not continue the received part; the whole file is requested.
    case refused
  }

  /// The step after an exchange.
  enum Step: Equatable {
    /// Ask for the whole file, at once.
    case startOver
    /// Wait, as the record says now, and say that.
    case backOff([TransferNews])
    /// The file is whole: check it and move it.
    case move
    case end(TransferRecord.State, [TransferNews])
    /// The process that runs the transfers ends; the task stays as it is.
    case leave
  }

  // MARK: Before

  /// Begins an attempt. If it resumes after an offset, the caller must truncate the part's file there.
  ///
  /// - Parameter stored: the size of the part's file in bytes; `nil` when the file does not exist.
  mutating func start(at now: TransferInstant, stored: Int64?) -> Start {
    if let part = record.part, part.isMoving {
      if stored == nil { return .hasMoved }
      if stored == part.total { return .move }
    }
    if record.deadline.left(at: now) <= .zero { return .fail(.timedOut) }
    if let left = record.notBefore?.left(at: now), left > .zero { return .wait(left) }
    guard record.kind == .download, let part = record.part, let stored, part.validator != nil else {
      forgetPart()
      return .request(offset: 0)
    }
    // What a loss of power may have taken is fetched again.
    let offset = part.boot == now.boot ? stored : min(stored, part.durableBytes)
    if offset == part.total { return .move }
    guard offset > 0, part.total.map({ offset < $0 }) ?? true else {
      forgetPart()
      return .request(offset: 0)
    }
    record.bytesDone = offset
    record.part?.bytes = offset
    record.part?.durableBytes = min(part.durableBytes, offset)
    record.part?.boot = now.boot
    return .request(offset: offset)
  }

  private mutating func forgetPart() {
    (record.part, record.bytesDone) = (nil, 0)
    if record.kind == .download { record.bytesExpected = nil }
  }

  /// The header of a request: the fields of a resumption are the machine's alone.
  func headers(offset: Int64, additional: HTTPFields) -> HTTPFields {
    var headers = record.request.headers
    for field in additional.all where record.request.headers[field.name] == nil {
      headers.append(field.name, field.value)
    }
    for name in ["Range", "If-Range", "Content-Length", "Transfer-Encoding", "Host", "Connection"] {
      headers[name] = nil
    }
    if offset > 0, let validator = record.part?.validator {
      headers["Range"] = "bytes=\(offset)-"
      headers["If-Range"] = validator
    }
    return headers
  }

  // MARK: The head

  /// The server has not done what it was asked for, and may later.
  private static let refusedStatuses: Set<Int> = [408, 425, 429, 503]
  /// Something went wrong behind the server, before or after it had done that.
  private static let brokenStatuses: Set<Int> = [500, 502, 504]
  static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

  private func isRetried(_ status: Int) -> Bool {
    Self.refusedStatuses.contains(status) || record.mayComeTwice && Self.brokenStatuses.contains(status)
  }

  /// Says where the body of a response to a request from `offset` on goes.
  func body(of response: HTTPResponse, offset: Int64) -> Body {
    if isRetried(response.status) { return .nowhere }
    if Self.redirectStatuses.contains(response.status), response.headers["Location"] != nil { return .nowhere }
    if record.kind == .upload { return .nowhere }
    if offset == 0 { return response.status == 206 ? .refused : .fresh }
    guard response.status == 206, let part = record.part,
      let range = response.headers["Content-Range"].flatMap(ContentRange.init), range.first == offset
    else { return .refused }
    // A server that takes no notice of If-Range may send the rest of another version.
    if let total = range.total, let known = part.total, total != known { return .refused }
    if let validator = FileVersion.validator(of: response), part.validator?.hasBytes(of: validator) != true {
      return .refused
    }
    return .append
  }

  /// A new file is being filled.
  mutating func begin(part name: String, with response: HTTPResponse, at now: TransferInstant) {
    let total = response.headers["Content-Encoding"] == nil ? FileVersion.length(of: response) : nil
    let validator = response.status == 200 ? FileVersion.validator(of: response) : nil
    record.part = TransferRecord.Part(
      name: name, validator: validator, bytes: 0, durableBytes: 0, total: total, boot: now.boot,
      response: TransferResponse(response))
    (record.bytesDone, record.bytesExpected) = (0, total)
    isRunning()
  }

  mutating func isRunning() {
    record.state = .running
    record.notBefore = nil
  }

  /// So much of the file is there, or of the source sent.
  mutating func advance(to bytes: Int64) {
    record.bytesDone = bytes
    record.part?.bytes = bytes
  }

  /// So much survives a loss of power.
  mutating func isDurable(upTo bytes: Int64) { record.part?.durableBytes = bytes }

  /// The file is whole, checked and on the disk.
  mutating func isMoving() {
    guard let bytes = record.part?.bytes else { return }
    record.part?.total = bytes
    record.part?.isMoving = true
  }

  // MARK: After

  /// - Parameters:
  ///   - offset: where the request began.
  ///   - random: from 0 to 1.
  mutating func ended(
    _ outcome: HTTPFileOutcome, offset: Int64, at now: TransferInstant, random: Double
  ) -> Step {
    if let status = outcome.response?.status { record.status = status }
    if record.kind == .download, record.bytesDone > offset { record.attempts = 0 }
    switch outcome.end {
    case .refused:
      if offset == 0 {
        return fail(
          TransferFailure(
            .badServerResponse, "The server sent a part of the file that was not requested.",
            recovery: "Check the server."))
      }
      forgetPart()
      return .startOver
    case .cannotWrite(let number): return fail(TransferFailure(writing: SystemError(number)))
    case .failed(let error):
      // The body of an error is cut short.
      if let response = outcome.response, isRetried(response.status) {
        return backOff(response, [], at: now, random: random)
      }
      if error.kind == .cancelled { return .leave }
      guard error.kind.isTransient else { return fail(TransferFailure(error)) }
      if !record.mayComeTwice, record.isWhollySent, !error.kind.isUnconnected {
        return fail(TransferFailure(error).ofWhatMayHaveArrived)
      }
      let tells = error.kind.isUnconnected && !record.hasToldOfWaiting
      if tells { record.hasToldOfWaiting = true }
      return backOff(nil, tells ? [TransferNews(.waitingForConnectivity)] : [], at: now, random: random)
    case .whole:
      guard let response = outcome.response else { return .leave }
      if isRetried(response.status) { return backOff(response, [], at: now, random: random) }
      return whole(response, at: now, random: random)
    }
  }

  private mutating func whole(_ response: HTTPResponse, at now: TransferInstant, random: Double) -> Step {
    switch record.kind {
    case .upload:
      let told = TransferResponse(response)
      return .end(
        .completed, [TransferNews(.didSendBody, response: told), TransferNews(.didComplete, response: told)])
    case .download:
      if let total = record.part?.total, let bytes = record.part?.bytes, bytes != total {
        // The server sent less than the rest; with more, it has another file.
        if bytes > total { forgetPart() }
        return backOff(nil, [], at: now, random: random)
      }
      return .move
    }
  }

  /// Nothing can be begun now.
  mutating func postpone(at now: TransferInstant, random: Double) -> Step { backOff(nil, [], at: now, random: random) }

  /// Nothing more is done for the task.
  mutating func fail(_ failure: TransferFailure) -> Step {
    .end(.failed, [TransferNews(.didComplete, response: record.part?.response, error: failure)])
  }

  /// The file is where it belongs.
  func completed() -> Step {
    let response = record.part?.response
    return .end(
      .completed,
      [
        TransferNews(.didFinishDownloading, path: record.destination, response: response),
        TransferNews(.didComplete, response: response),
      ])
  }

  private mutating func backOff(
    _ response: HTTPResponse?, _ news: [TransferNews], at now: TransferInstant, random: Double
  ) -> Step {
    record.attempts = min(record.attempts + 1, 1_000)
    record.state = .backingOff
    record.notBefore = Countdown(
      TransferPause.length(after: record.attempts, response, random: random, at: now), from: now)
    return .backOff(news)
  }
}
