import HTTPClient
import HostServices
import Fetching
import Testing

/// The guard against requests that are forged through the host: whoever owns a public name chooses its address.
@Suite(.timeLimit(.minutes(1)))
struct `The addresses that a named server may have` {
  @Test(
    arguments: [
      ("https://api.example.com", [.global]),
      ("http://metadata.google.example:8080", [.global]),
      ("https://localhost.example.com", [.global]),
      ("https://10.0.0.1.example.com", [.global]),
      ("https://0x7f.1.example", [.global]),
      ("http://localhost:4503", [.loopback]),
      ("http://127.0.0.1:80", [.loopback]),
      ("http://[::1]:80", [.loopback]),
      ("http://printer", [.global, .privateNetwork]),
      ("http://nas.local", [.global, .privateNetwork]),
      ("http://db.internal", [.global, .privateNetwork]),
      ("http://box.home.arpa", [.global, .privateNetwork]),
      ("http://192.168.1.1", [.global, .privateNetwork, .linkLocal]),
      ("http://10.0.0.9", [.global, .privateNetwork, .linkLocal]),
      ("https://a.notlocal", [.global]), ("https://a.notinternal", [.global]), ("https://b.nothome.arpa", [.global]),
      ("https://home.arpa", [.global]), ("https://10.0.0.9x", [.global]),
      ("https://local", [.global, .privateNetwork]),
      ("http://169.254.169.254", [.global, .privateNetwork, .linkLocal]),
      ("http://[fd00::1]", [.global, .privateNetwork, .linkLocal]),
    ] as [(String, Set<AddressReach>)])
  func `are those that its name can mean`(url: String, reaches: Set<AddressReach>) throws {
    let origin = try #require(HTTPOrigin(url: url))
    #expect(FetchRules.reaches(of: origin) == reaches)
  }
}
