import JSONRPC
import Foundation
import HTTPClient
import JSON
import TestSupport
import Testing

/// A sign-in with the help of another device.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A sign-in on another device` {
  @Test func `is done when the code was typed there`() async throws {
    let stage = try await AuthStage("--lifetime", "device-interval=1")
    let waiting = try stage.host.start([
      "auth", "sign-in", "--device-code", "--kind", "openid", "--authority", stage.url, "--json",
    ])
    let line = try await waiting.hear("and type ")
    let code = try #require(line.split(whereSeparator: \.isWhitespace).last.map(String.init))
    let page = try #require(line.split(separator: " ").first { $0.hasPrefix("http") }.map(String.init))
    let form = [
      "user_code": code, "username": AuthStage.rider, "password": AuthStage.password, "decision": "allow",
    ].map { "\($0)=\($1.replacing("@", with: "%40").replacing("!", with: "%21"))" }.joined(separator: "&")
    let done = try await HTTPClient.patient.send(
      HTTPRequest(
        "POST", page, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Array(form.utf8)))
    #expect(done.status == 200 && done.text.contains("The device is signed in."), "\(done.text)")
    let output = try await waiting.finish()
    #expect(output.status == 0, "\(output)")
    #expect(try output.json["account"]?["username"]?.stringValue == AuthStage.rider)
    #expect(!output.stderr.contains("eyJ") && !output.stdout.contains("eyJ"))
  }

  @Test func `is not for a server of native authentication`() async throws {
    let stage = try await AuthStage()
    let output = try await stage.auth("sign-in --device-code")
    #expect(output.status == 64 && output.stderr.contains("--kind openid"), "\(output)")
  }
}
