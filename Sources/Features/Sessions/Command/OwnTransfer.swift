import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import Files
import Glibc
import HTTPClient
import HostServices
import SessionServices
import JSON
import JSONRPC
import Text
import Transfers

/// A transfer that a user begins with the tool, in its own session, which ends with the transfer.
struct OwnTransfer {
  private let invocation: Invocation
  private let service: SessionService

  init(_ invocation: Invocation, _ service: SessionService) {
    self.invocation = invocation
    self.service = service
  }

  func download() async throws -> ExitStatus {
    let request = try Self.request("GET", invocation)
    let path = invocation.parsed.value("output") ?? Self.name(of: request.url)
    let (absolute, folder, name) = try Self.place(path)
    if invocation.parsed.flag("detach") {
      return try await transfer(request, .download(destination: name), container: folder, name: name)
    }
    // The file has its name when the server's answer is known: a page of an error replaces nothing.
    let draft = Self.partName(of: name)
    let part = "\(folder)/\(draft)"
    defer { unlink(part) }
    let status = try await transfer(
      request, .download(destination: draft), container: folder, name: name, writingTo: absolute)
    guard status == .success || invocation.parsed.flag("fail-with-body") else { return status }
    // A part of a download is its user's alone; the whole file is a file as any other.
    let mask = umask(0)
    umask(mask)
    chmod(part, 0o666 & ~mask)
    guard rename(part, absolute) == 0 else {
      throw ExtensionError(
        .storeFailed, "Cannot write “\(absolute)”: \(SystemError.last).", recovery: "Name another file with -o.")
    }
    return status
  }

  func upload() async throws -> ExitStatus {
    let file = invocation.parsed.argument("FILE") ?? ""
    let method = invocation.parsed.value("method") ?? "PUT"
    guard ["PUT", "POST", "PATCH"].contains(method) else {
      throw CommandLineError("“\(method.escapedForTerminal)” uploads nothing.", help: "Use PUT, POST or PATCH.")
    }
    let request = try Self.request(method, invocation)
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw ExtensionError(
        .storeFailed, "Cannot open “\(file)”: \(SystemError.last).", recovery: "Name a file that can be read.")
    }
    defer { close(descriptor) }
    return try await transfer(
      request, .upload(descriptor: descriptor), container: Folder.workingDirectory, name: Folder.name(of: file))
  }

  /// The request that the command line asks for.
  static func request(_ method: String, _ invocation: Invocation) throws -> TransferRequest {
    let url = invocation.parsed.argument("URL") ?? ""
    guard HTTPOrigin(url: url) != nil else {
      throw CommandLineError(
        "“\(url.escapedForTerminal)” is not an http or https URL without a user name.",
        help: "Write it as https://host/path.")
    }
    var headers = HTTPFields()
    for field in invocation.parsed.values("header") {
      guard let pair = field.cut(at: ":"), !pair.before.isEmpty else {
        throw CommandLineError("“\(field.escapedForTerminal)” is not a header field.", help: "Write it as NAME:VALUE.")
      }
      let value = pair.behind.utf8.drop { $0 == UInt8(ascii: " ") }
      headers.append(String(pair.before), String(Substring(value)))
    }
    return TransferRequest(url: url, method: method, headers: headers)
  }

  /// The last part of a URL's path.
  static func name(of url: String) -> String {
    let path = url.withoutQuery.pathParts().dropFirst(2)
    return path.last.map(String.init) ?? "index.html"
  }

  /// Where a download goes: a file in a folder that is there. It takes no folder's place, which would show only when
  /// all of it had come.
  static func place(_ path: String) throws(CommandLineError) -> (absolute: String, folder: String, name: String) {
    let absolute = Folder.path(path)
    let (folder, name) = (Folder.parent(of: absolute), Folder.name(of: absolute))
    guard FileStatus(folder)?.kind == .directory, FileStatus(absolute)?.kind != .directory, !name.isEmpty, name != ".",
      name != ".."
    else {
      throw CommandLineError(
        "“\(path.escapedForTerminal)” is not a place for a file.",
        help: "Name a file in a folder that is there, with -o.")
    }
    return (absolute, folder, name)
  }

  /// The name of a file while it comes. Names of files have 255 bytes, however few characters those are.
  static func partName(of name: String) -> String { ".\(name.prefix(utf8: 200)).\(getpid()).part" }

  private func transfer(
    _ request: TransferRequest, _ body: TransferDraft.Body, container: String, name: String,
    writingTo file: String? = nil
  ) async throws -> ExitStatus {
    let draft = TransferDraft(request, body, sha256: invocation.parsed.value("sha256")?.lowercased())
    let task = try await service.beginOwn(draft, container: container)
    await service.startIfNeeded()
    if invocation.parsed.flag("detach") {
      if invocation.wantsJSON {
        invocation.printJSON(.object(["taskID": .integer(task.id), "session": .string(task.session.identifier)]))
      } else {
        invocation.console.print("\(task.session.identifier)")
      }
      return .success
    }
    let progress = ShownProgress("\(name)", invocation)
    defer { progress.finish() }
    let outcome: TransferOutcomeReport
    var hasTold = false
    do {
      outcome = try await service.outcome(of: task) { record in
        if record.state == .backingOff, record.bytesDone == 0, !hasTold {
          hasTold = true
          tellOfWaiting(record)
        }
        progress.show(CallProgress(Double(record.bytesDone), total: record.bytesExpected.map(Double.init)))
      }
    } catch is CancellationError {
      try? await service.cancel(task)
      try? await service.endOwn(task.session)
      throw CancellationError()
    }
    progress.finish()
    try await service.endOwn(task.session)
    return try report(outcome, name, file)
  }

  /// Says, once, that the first attempt came to nothing: the transfer tries again for days.
  private func tellOfWaiting(_ record: TransferRecord) {
    let server = HTTPOrigin(url: record.request.url).map { "\($0)" } ?? record.request.url
    let why = record.status.map { "\(server) answered with status \($0)" } ?? "No server answers at \(server)"
    invocation.console.warn("\(why). The transfer tries again until it is done; press Ctrl-C to cancel it.")
  }

  /// The name of a status that a person meets often.
  static func words(for status: Int) -> String {
    switch status {
    case 401: "401 (the server wants a sign-in)"
    case 403: "403 (the server refuses it)"
    case 404: "404 (the server has no such file)"
    case 410: "410 (the file is gone)"
    default: "\(status)"
    }
  }

  private func report(_ outcome: TransferOutcomeReport, _ name: String, _ file: String?) throws -> ExitStatus {
    if let failure = outcome.end?.error {
      throw ExtensionError(
        .networkFailed, failure.description, recovery: failure.recovery,
        details: ["domain": .string(failure.domain), "code": .integer(Int64(failure.code))])
    }
    guard outcome.end != nil || outcome.record.state.isOver else {
      throw ExtensionError(.cancelled, "The transfer was cancelled.", recovery: "Begin it again.")
    }
    let status = outcome.end?.response?.status ?? 0
    let isGood = (200...299).contains(status)
    if invocation.wantsJSON {
      var object = JSONObject()
      object["taskID"] = .integer(outcome.record.id)
      object["status"] = .integer(Int64(status))
      object["bytes"] = .integer(outcome.record.bytesDone)
      object["url"] = .string(outcome.end?.response?.url ?? outcome.record.request.url)
      if let file, isGood || invocation.parsed.flag("fail-with-body") { object["path"] = .string(file) }
      invocation.printJSON(.object(object))
    } else if isGood {
      let place = file.map { " in \($0)" } ?? ""
      invocation.console.note("\(name): \(DecimalByteText.of(outcome.record.bytesDone))\(place), status \(status)")
    } else {
      let url = outcome.end?.response?.url ?? outcome.record.request.url
      let keeps = file != nil && !invocation.parsed.flag("fail-with-body")
      invocation.console.fail(
        "\(url) answered with status \(Self.words(for: status)).",
        help: keeps ? "Nothing was written. Correct the URL; --fail-with-body writes what the server sent." : nil)
    }
    return isGood ? .success : .failure
  }
}
