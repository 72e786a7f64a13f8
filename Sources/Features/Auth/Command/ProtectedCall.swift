import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import ExtensionProtocol
import HTTPClient
import JSON
import Text
import TokenBroker

/// `host auth call`: a request with a token; the token is in the request and nowhere else.
struct ProtectedCall {
  private let invocation: Invocation
  private let place: AuthPlace

  private static let limit = 16 << 20

  init(_ invocation: Invocation) async throws {
    self.invocation = invocation
    place = try await AuthPlace(invocation)
  }

  func run() async throws -> ExitStatus {
    let parsed = invocation.parsed
    let request = try Self.request(invocation)
    let client = place.client
    let answer = try await place.broker.call(
      scopes: parsed.values("scope"), account: parsed.value("account"),
      send: { token in
        var request = request
        request.headers["Authorization"] = "Bearer \(token.secret.revealed())"
        do throws(HTTPError) {
          return Answer(try await client.send(request), token.secret)
        } catch {
          if error.kind == .cancelled { throw CancellationError() }
          throw ExtensionError(
            .networkFailed, error.message, recovery: "Check the address of the API and the network connection.")
        }
      },
      verdict: { CallVerdict(status: $0.response.status, headers: $0.response.headers, body: $0.response.body) })
    return report(answer)
  }

  /// The answer of an API, and the token of the request.
  private struct Answer {
    let response: HTTPResponse
    /// The body; an API that says the token has it left out.
    let text: String

    init(_ response: HTTPResponse, _ token: Secret) {
      self.response = response
      text = response.text.replacing(token.revealed(), with: "\(token)")
    }
  }

  /// The request that the command line asks for, without its token.
  static func request(_ invocation: Invocation) throws -> HTTPRequest {
    let parsed = invocation.parsed
    let url = parsed.argument("URL") ?? ""
    guard let origin = HTTPOrigin(url: url) else {
      throw CommandLineError(
        "“\(url.escapedForTerminal)” is not an http or https URL without a user name.",
        help: "Write it as https://host/path.")
    }
    guard origin.scheme == "https" || origin.isLoopback else {
      throw CommandLineError(
        "The token would go to \(origin.host.escapedForTerminal) without encryption.",
        help: "Use https; http is for this machine alone.")
    }
    var request = HTTPRequest(parsed.value("method") ?? "GET", url, maximumBodyBytes: limit)
    request.maximumRedirects = 0
    for field in parsed.values("header") {
      guard let pair = field.cut(at: ":"), !pair.before.isEmpty, pair.before.lowercased() != "authorization" else {
        throw CommandLineError(
          "“\(field.escapedForTerminal)” is not a header field for this.",
          help: "Write it as NAME:VALUE; the authorization is the token.")
      }
      let value = pair.behind.utf8.drop { $0 == UInt8(ascii: " ") }
      request.headers.append(String(pair.before), String(Substring(value)))
    }
    if let file = parsed.value("data") { request.body = try InputFile.read(file, limit: limit) }
    return request
  }

  private func report(_ answer: Answer) -> ExitStatus {
    let status = answer.response.status
    if invocation.wantsJSON {
      let parsed = try? JSONCoding.parse(answer.text, maximumDepth: 64)
      invocation.printJSON([
        "status": .integer(Int64(status)), "url": .string(answer.response.url), "body": parsed ?? .string(answer.text),
      ])
    } else {
      invocation.console.note("status \(status)")
      if !answer.text.isEmpty {
        invocation.console.write(data: answer.text.hasSuffix("\n") ? answer.text : "\(answer.text)\n")
      }
    }
    return (200...299).contains(status) ? .success : .failure
  }
}
