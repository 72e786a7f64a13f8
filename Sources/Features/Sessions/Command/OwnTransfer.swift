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
import Transfers

/// A transfer that a user begins with the tool: in a session of its own, which ends with it.
struct OwnTransfer {
  private let invocation: Invocation
  private let service: SessionService

  init(_ invocation: Invocation, _ service: SessionService) {
    self.invocation = invocation
    self.service = service
  }

  func download() async throws -> ExitStatus {
    let request = try request("GET")
    let path = invocation.parsed.value("output") ?? Self.name(of: request.url)
    let absolute = path.hasPrefix("/") ? path : "\(Folder.workingDirectory)/\(path)"
    let (folder, name) = (Folder.parent(of: absolute), Folder.name(of: absolute))
    guard FileStatus(folder)?.kind == .directory, !name.isEmpty, name != ".", name != ".." else {
      throw CommandLineError(
        "“\(path.escapedForTerminal)” is no place for a file.", help: "Name a file in a folder that is there, with -o.")
    }
    let status = try await transfer(request, .download(destination: name), container: folder, name: name)
    // A part of a download is its user's alone; the whole file is a file as any other.
    let mask = umask(0)
    umask(mask)
    if !invocation.parsed.flag("detach") { chmod(absolute, 0o666 & ~mask) }
    return status
  }

  func upload() async throws -> ExitStatus {
    let file = invocation.parsed.argument("FILE") ?? ""
    let method = invocation.parsed.value("method") ?? "PUT"
    guard ["PUT", "POST", "PATCH"].contains(method) else {
      throw CommandLineError("“\(method.escapedForTerminal)” uploads nothing.", help: "Use PUT, POST or PATCH.")
    }
    let request = try request(method)
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw ExtensionError(
        .storeFailed, "Cannot open “\(file)”: \(SystemError.last).", recovery: "Name a file that can be read.")
    }
    defer { close(descriptor) }
    return try await transfer(
      request, .upload(descriptor: descriptor), container: Folder.workingDirectory, name: Folder.name(of: file))
  }

  private func request(_ method: String) throws -> TransferRequest {
    let url = invocation.parsed.argument("URL") ?? ""
    guard HTTPOrigin(url: url) != nil else {
      throw CommandLineError(
        "“\(url.escapedForTerminal)” is no http or https URL without a user name.",
        help: "Write it as https://host/path.")
    }
    var headers = HTTPFields()
    for field in invocation.parsed.values("header") {
      guard let colon = field.firstIndex(of: ":"), colon != field.startIndex else {
        throw CommandLineError("“\(field.escapedForTerminal)” is no header field.", help: "Write it as NAME:VALUE.")
      }
      let value = field[field.index(after: colon)...].drop { $0 == " " }
      headers.append(String(field[..<colon]), String(value))
    }
    return TransferRequest(url: url, method: method, headers: headers)
  }

  /// The last part of a URL's path.
  private static func name(of url: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").dropFirst(2)
    return path.last.map(String.init) ?? "index.html"
  }

  private func transfer(
    _ request: TransferRequest, _ body: TransferDraft.Body, container: String, name: String
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
    do {
      outcome = try await service.outcome(of: task) { record in
        progress.show(CallProgress(Double(record.bytesDone), total: record.bytesExpected.map(Double.init)))
      }
    } catch is CancellationError {
      try? await service.cancel(task)
      try? await service.endOwn(task.session)
      throw CancellationError()
    }
    progress.finish()
    try await service.endOwn(task.session)
    return try report(outcome, name)
  }

  private func report(_ outcome: TransferOutcomeReport, _ name: String) throws -> ExitStatus {
    if let failure = outcome.end?.error {
      throw ExtensionError(
        .networkFailed, failure.description, recovery: failure.recovery,
        details: ["domain": .string(failure.domain), "code": .integer(Int64(failure.code))])
    }
    let status = outcome.end?.response?.status ?? 0
    if invocation.wantsJSON {
      var object = JSONObject()
      object["taskID"] = .integer(outcome.record.id)
      object["status"] = .integer(Int64(status))
      object["bytes"] = .integer(outcome.record.bytesDone)
      object["url"] = .string(outcome.end?.response?.url ?? outcome.record.request.url)
      invocation.printJSON(.object(object))
    } else {
      invocation.console.note("\(name): \(DecimalByteText.of(outcome.record.bytesDone)), status \(status)")
    }
    return (200...299).contains(status) ? .success : .failure
  }
}
