import EventLoop
import ExtensionHosting
import ExtensionProtocol
import JSON
import JSONRPC
import JSONSchema

/// Checks the results of calls. Results that other checks received are used; a method that none of them called is
/// called once with minimal params.
extension PointMethods.Method {
  var resultCheck: ConformanceCheck {
    ConformanceCheck(MethodRule.result.check(of: name), MethodRule.result.rule, advice: MethodRule.result.advice) {
      [self] context in
      let results = try context.recordedResults(of: name)
      for result in results { try mustFit(result) }
      if !results.isEmpty { return results.count == 1 ? "1 result" : "\(results.count) results" }
      if isRequestScoped { throw CheckSkipped("It is about a request of a user's, and none was open.") }
      guard let params = example.value(of: schema.params)?.objectValue else {
        throw CheckSkipped("No params could be made from its schema.")
      }
      return try await context.withExtension { process in
        try requireVersion(process.pointVersion)
        let (filled, stream) = try fill(params, of: process)
        let result = try await call(filled, sending: stream, of: process, context)
        try mustFit(result)
        try await take(result, from: process, context)
        return "called with \(JSONCoding.text(of: .object(filled)).prefix(80))"
      }
    }
  }

  private func mustFit(_ result: JSONValue) throws {
    guard let problem = schemas.problems(ofResult: result, of: name).first else { return }
    throw CheckFailure("What it answered \(name) with is not a result of it. \(problem)")
  }

  /// The params with what the host hands over in the place of words.
  private func fill(
    _ params: JSONObject, of process: ExtensionProcess
  ) throws -> (params: JSONObject, streams: [OutgoingStream]) {
    var params = JSONValue.object(params)
    var streams: [OutgoingStream] = []
    for transfer in schema.transfers {
      switch transfer {
      case .fileIn(let member) where params.member(at: member) != nil:
        params.setMember(at: member, to: .string(try process.grant(Array(CheckContext.text.utf8), name: "conformance")))
      case .folderIn(let member) where params.member(at: member) != nil:
        params.setMember(at: member, to: .string(try process.grantDirectory("conformance")))
      case .streamIn(let member) where params.member(at: member) != nil:
        let stream = try process.openStream()
        streams.append(stream)
        params.setMember(at: member, to: .string(stream.id))
      default: continue
      }
    }
    return (params.objectValue ?? [:], streams)
  }

  private func call(
    _ params: JSONObject, sending streams: [OutgoingStream], of process: ExtensionProcess, _ context: CheckContext
  ) async throws -> JSONValue {
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      for stream in streams {
        // An extension may leave a stream alone.
        group.addTask {
          do throws(ErrorObject) {
            try await stream.send(Array(CheckContext.text.utf8))
            stream.finish()
          } catch {}
        }
      }
      do {
        return try await process.call(name, params: .object(params), rule: schema.deadline.with(context.timeout))
      } catch let error as ExtensionError where error.isClaim {
        if error.code == .methodNotFound { throw CheckSkipped("It does not serve it.") }
        throw CheckSkipped("It refused the plainest params: \(error.message)")
      }
    }
  }

  /// Checks that what the result names exists.
  private func take(_ result: JSONValue, from process: ExtensionProcess, _ context: CheckContext) async throws {
    for transfer in schema.transfers {
      switch transfer {
      case .fileOut(let member):
        guard let path = result.member(at: member)?.stringValue else { continue }
        do { _ = try process.take(path, limit: 64 << 20) } catch {
          throw CheckFailure("The file that its result names as “\(member)” cannot be taken. \(error.message)")
        }
      case .streamOut(let member):
        guard let id = result.member(at: member)?.stringValue else { continue }
        do {
          try await withDeadline(context.timeout, on: context.host.host.loop) {
            for try await _ in try process.stream(id) {}
          }
        } catch is DeadlineExceeded {
          throw CheckFailure("The stream that its result names as “\(member)” did not end within \(context.timeout).")
        } catch is CancellationError {
          throw CancellationError()
        } catch {
          throw CheckFailure("The stream that its result names as “\(member)” failed: \(error)")
        }
      default: continue
      }
    }
  }
}

extension CheckContext {
  /// The results with which the extension answered a method so far. One that has lost a secret on the way into the
  /// recording is left out.
  fileprivate func recordedResults(of method: String) throws -> [JSONValue] {
    if host.recorder.recording.frames == 0 { return [] }
    var results: [JSONValue] = []
    var open: Set<JSONValue> = []
    for frame in try Recording(parsing: host.recorder.recording.text, for: target.identity.id).frames {
      let message = frame.message
      guard let id = message["id"] else { continue }
      if frame.isFromHost, let name = message["method"]?.stringValue {
        if name == Initialize.method { open = [] }
        if name == method { open.insert(id) }
      } else if !frame.isFromHost, message["method"] == nil, open.remove(id) != nil, let result = message["result"] {
        if !JSONCoding.text(of: result).contains(Secrets.mark) { results.append(result) }
      }
    }
    return results
  }
}
