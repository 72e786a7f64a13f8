package import CommandLineTool
package import ExtensionProtocol
package import JSON

/// An error of a tool: one sentence, advice, and an exit status.
package struct Failure: Error {
  /// The message and the advice.
  package let error: ExtensionError
  /// The exit status of the tool.
  package let status: ExitStatus

  /// Any error in the terms of the tool.
  package init(_ error: any Error) {
    switch error {
    case let input as InputError:
      self.init(
        ExtensionError(.invalidParams, input.message, recovery: "Check the path and its permissions."), status: .noInput
      )
    case let output as OutputError:
      self.init(
        ExtensionError(.storeFailed, output.message, recovery: "Choose another file with -o."), status: .cannotCreate)
    case let failure as Failure: self = failure
    default:
      let error = ExtensionError(wrapping: error).withCommand
      self.init(error, status: Self.status(of: error))
    }
  }

  /// Creates a failure with an exit status that differs from the error's own.
  package init(_ error: ExtensionError, status: ExitStatus) {
    self.error = error
    self.status = status
  }

  /// A command line that cannot be understood, in the same form.
  package static func usage(_ error: CommandLineError) -> Failure {
    Failure(ExtensionError(.invalidParams, error.message, recovery: error.help), status: .usage)
  }

  /// Prints the failure: two lines on standard error, or one JSON object on standard output.
  package func print(to invocation: Invocation) -> ExitStatus {
    if invocation.wantsJSON {
      let object = object(for: invocation)
      if invocation.streamsJSON {
        invocation.printJSONLine(.object(object))
      } else {
        invocation.printJSON(.object(object))
      }
    } else {
      // What an extension answered is its word, and its advice is nothing that this tool would say.
      let advice = error.isClaim ? error.claimAdvice : error.recovery
      let speaker = error.isClaim ? error.details["extension"]?.stringValue : nil
      invocation.console.fail(
        speaker.map { "\($0) answered: \(Secrets.redacted(error.message))" } ?? "\(error.message)",
        help: advice.map { "\($0)" })
      if error.isClaim, let claimed = error.recovery, claimed != advice, claimed != error.code.recovery {
        invocation.console.note("  it advises: \(claimed)")
      }
      for cause in error.cause { invocation.console.note("  because: \(cause)") }
      // With --verbose each line was shown when it came.
      if invocation.console.verbosity != .verbose, case .array(let lines) = error.details["standardError"],
        !lines.isEmpty
      {
        invocation.console.note("  its standard error ended with:")
        for case .string(let line) in lines {
          invocation.console.note("    \(ShownText(lines: invocation.console.withAuthorPaths(line)))")
        }
      }
    }
    return status
  }

  /// The error object of `--json`: code, name, message, recovery, details.
  package var object: JSONObject {
    var object = JSONObject()
    object["code"] = .integer(Int64(error.code.number))
    object["name"] = .string(error.code.name)
    object["message"] = .string(error.message)
    if let recovery = error.recovery { object["recovery"] = .string(recovery) }
    var details = JSONObject()
    for key in error.details.keys.sorted() { details[key] = error.details[key] }
    object["details"] = .object(details)
    if !error.cause.isEmpty { object["cause"] = .array(error.cause.map { .string($0) }) }
    return object
  }

  /// Returns the error as JSON, with advice that works when it is pasted.
  package func object(for invocation: Invocation) -> JSONObject {
    guard !error.isClaim, let recovery = error.recovery else { return object }
    var error = error
    error.recovery = invocation.console.completed(recovery)
    return Failure(error, status: status).object
  }

  /// The error object as text.
  package var json: ShownText { ShownText(json: JSONCoding.prettyText(of: .object(object))) }

  /// The exit status for an error; 1 where the thing asked for failed.
  private static func status(of error: ExtensionError) -> ExitStatus {
    switch error.code {
    case _ where error.helpsToWait: .temporaryFailure
    case .extensionInvalid, .invalidParams, .parseError: .dataError
    case .extensionUnknown: .noInput
    case .serviceUnavailable, .contentFailed, .dataFailed, .sandboxUnavailable: .unavailable
    case .permissionDenied, .pointDisallows, .groupNotEntitled: .noPermission
    case .internalError: .software
    case .storeFailed: .ioError
    default: .failure
    }
  }
}

extension ExtensionError {
  /// Whether the same may be done later, with nothing mended in between: an extension backs off, the other side is busy or
  /// ends, another process keeps the store.
  fileprivate var helpsToWait: Bool {
    switch code {
    case .quarantined: details["until", default: .null] != .null
    case .queueFull, .shuttingDown: true
    case .storeFailed: details["retryable"] == .bool(true)
    default: false
    }
  }
}
