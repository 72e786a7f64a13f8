import BundleSeals
import Cryptography
import Foundation
import TestSupport
import Testing
import Text

/// Programs that others wrote verify the same bytes.
@Suite(.timeLimit(.minutes(1))) struct `The signature of a seal` {
  private func keyFile(_ signer: Signer, in folder: TemporaryDirectory) throws -> String {
    try folder.write(signer.key.publicKey.pem { Base64.encode($0) }, to: "key.pem")
  }

  @Test func `is verified by openssl`() throws {
    let folder = try TemporaryDirectory()
    let signer = try Signer()
    let seal = "\(try signer.app(in: folder))/_CodeSignature"
    let key = try keyFile(signer, in: folder)
    let verify = "openssl pkeyutl -verify -rawin -pubin -inkey '\(key)' -sigfile '\(seal)/Statement.sig'"
    #expect(Process.shell("\(verify) -in '\(seal)/Statement' >/dev/null") == 0)
    #expect(Process.shell("\(verify) -in '\(seal)/SigningKey' >/dev/null") != 0)
  }

  @Test(.enabled("minisign is not installed", { Process.shell("command -v minisign >/dev/null") == 0 }))
  func `is verified by minisign`() throws {
    let folder = try TemporaryDirectory()
    let signer = try Signer()
    let seal = "\(try signer.app(in: folder))/_CodeSignature"
    let key = Minisign.publicKey(signer.key.publicKey)
    let verify = "minisign -V -q -P '\(key)' -x '\(seal)/Statement.minisig'"
    #expect(Process.shell("\(verify) -m '\(seal)/Statement'") == 0)
    #expect(Process.shell("\(verify) -m '\(seal)/SigningKey'") != 0)
  }
}
