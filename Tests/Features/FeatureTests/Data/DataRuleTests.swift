import ExtensionHosting
import ExtensionTesting
import HostServices
import JSON
import Testing

@testable import DataServices

/// Which connectors the entries of a manifest open, and which emulator is one.
@Suite(.timeLimit(.minutes(1)))
struct `The rules of data` {
  private static let rules = DataRules(scope: ["movies/default", "movies/admin:read", "a b", "", "x/y/z"])

  private static func refusal(
    _ connector: String, _ kind: DataContract.Kind, _ rules: DataRules = rules
  ) -> ExtensionError? {
    do throws(ExtensionError) {
      _ = try rules.entry(connector, kind)
      return nil
    } catch {
      return error
    }
  }

  @Test func `are the entries that can be read, in their order`() throws {
    #expect(Self.rules.entries.map(\.description) == ["movies/default", "movies/admin:read"])
    #expect(DataRules(scope: []).entries.isEmpty)
    #expect(DataRules(Caller.Identity.testing()).entries.isEmpty)
    let asked = AskedPermission("data", scope: ["a/b"])
    let other = AskedPermission("network", scope: ["c/d"])
    #expect(DataRules(Caller.Identity.testing(permissions: [other, asked])).entries.map(\.path) == ["a/b"])
    #expect(try Self.rules.entry("movies/admin", .query).isReadOnly)
    #expect(try !Self.rules.entry("movies/default", .mutation).isReadOnly)
  }

  @Test func `are those of the first of two entries for one connector`() {
    let narrow = DataRules(scope: ["a/b:read", "a/b"])
    #expect(Self.refusal("a/b", .mutation, narrow)?.code == .permissionDenied)
    #expect(Self.refusal("a/b", .mutation, DataRules(scope: ["a/b", "a/b:read"])) == nil)
  }

  @Test func `say what is missing in the manifest`() {
    let unnamed = Self.refusal("movies/other", .query)
    #expect(unnamed?.code == .permissionDenied && unnamed?.details["connector"] == "movies/other")
    #expect(unnamed?.message.contains("does not name the connector “movies/other”") == true)
    #expect(unnamed?.recovery?.contains("movies/other:read for queries alone") == true)
    #expect(unnamed?.details["state"] == "denied" && unnamed?.details["permission"] == "data")
    let narrow = Self.refusal("movies/admin", .mutation)
    #expect(narrow?.code == .permissionDenied && narrow?.details["connector"] == "movies/admin")
    #expect(narrow?.message.contains("for queries alone") == true)
    #expect(narrow?.recovery == "Name it without :read, and let the user agree to that.")
  }

  @Test(arguments: ["movies/admin:read", "movies/default:read", "", "/", "movies//default"])
  func `do not know what is no connector`(connector: String) {
    for kind in DataContract.Kind.allCases { #expect(Self.refusal(connector, kind)?.code == .invalidParams) }
  }

  @Test(arguments: [
    "127.0.0.1", "127.255.255.255", "127.0.0.0", "127.1.20.003", "localhost", "LocalHost", "::1", "[::1]",
  ])
  func `take the addresses of this machine`(host: String) { #expect(DataRules.isLoopback(host)) }

  @Test(arguments: [
    "126.0.0.1", "128.0.0.1", "0127.0.0.1", "127.0.0", "127.0.0.1.1", "127.0.0.", ".0.0.1", "127..0.1", "127.0.0.256",
    "127.0.0.999", "127.0.0.0001", "127.0.0.a", "127.0.0./", "127.0.0.:", "127.0.0.-1", "127.0.0.+1", "127.0.0.١",
    "127.0.0.1 ", "local", "::2", "[::1", "",
  ])
  func `take no other address`(host: String) { #expect(!DataRules.isLoopback(host)) }

  @Test(
    arguments: [(1, nil), (65_535, nil), (0, .invalidParams), (65_536, .invalidParams)]
      as [(Int, ExtensionError.Code?)])
  func `take each port, where an emulator is allowed`(port: Int, code: ExtensionError.Code?) {
    func refusal(_ isAllowed: Bool) -> ExtensionError? {
      do throws(ExtensionError) {
        try DataRules.check(DataContract.Emulator(host: "::1", port: port), isAllowed: isAllowed)
        return nil
      } catch {
        return error
      }
    }
    #expect(refusal(true)?.code == code)
    #expect(refusal(false)?.code == .permissionDenied && refusal(false)?.details["kind"] == "emulator")
  }
}
