import CommandLineTool
import DataConnectEmulator
import ExtensionProtocol
import HTTPClient
import JSON

extension TokenPolicy {
  private static let limit = 1 << 20

  /// Believes the tokens of an issuer alone; every token without one.
  ///
  /// - Throws: `CommandLineError` for what is no address, or another machine's without encryption.
  init(issuer: String?, audience: String?) throws(CommandLineError) {
    guard let issuer else {
      self.init()
      return
    }
    guard let origin = HTTPOrigin(url: issuer), origin.scheme == "https" || origin.isLoopback else {
      throw CommandLineError(
        "--issuer “\(issuer.escapedForTerminal)” is not an https URL.",
        help: "Write what its discovery document says in “issuer”; http is for this machine alone.")
    }
    let client = HTTPClient()
    self.init(
      issuer: Issuer(name: issuer, audience: audience) {
        let slash = issuer.hasSuffix("/") ? "" : "/"
        let discovery = try await Self.document("\(issuer)\(slash).well-known/openid-configuration", client)
        guard let keys = try JSONCoding.parse(discovery)["jwks_uri"]?.stringValue,
          let place = HTTPOrigin(url: keys), place.scheme == "https" || place.isLoopback
        else {
          throw ExtensionError(
            .serviceUnavailable, "The identity server does not say where its keys are.", recovery: "Check --issuer.")
        }
        return try await Self.document(keys, client)
      })
  }

  private static func document(_ url: String, _ client: HTTPClient) async throws -> [UInt8] {
    var request = HTTPRequest("GET", url, maximumBodyBytes: limit)
    request.endsWithCaller = false
    let response = try await client.send(request)
    guard response.status == 200 else {
      throw ExtensionError(
        .serviceUnavailable, "\(url) answered with \(response.status).", recovery: "Check --issuer.")
    }
    return response.body
  }
}
