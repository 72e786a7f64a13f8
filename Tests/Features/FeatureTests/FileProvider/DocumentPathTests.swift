import JSON
import ExtensionProtocol
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A document's path` {
  @Test(arguments: [
    "a", "a b.txt", "trips/2024/plan.txt", ".hidden", "ä/ö", "a..b", "...", ".placeholder", "a/\u{301}b",
  ])
  func `is relative and goes down`(path: String) throws { #expect(try DocumentPath.check(path) == path) }

  @Test(arguments: [
    "", "/", "/etc/passwd", "..", "../a", "a/../b", "a/..", ".", "./a", "a//b", "a/", "a\0b", "a\nb", "a\u{7F}",
    "trips/.plan.txt.placeholder", String(repeating: "a/", count: 600) + "a", String(repeating: "n", count: 231),
    // With the mark the slash is one character, and a slash all the same.
    "../\u{301}a", "a/../\u{301}b", "/\u{301}a", "a/\u{301}/../b",
  ])
  func `is refused otherwise`(path: String) {
    let error = #expect(throws: ExtensionError.self) { try DocumentPath.check(path) }
    #expect(error?.code == .invalidParams)
    #expect(error?.documentRule == .relativePath)
  }

  @Test(arguments: [
    ("a", ".a.placeholder"), ("x/y.txt", "x/.y.txt.placeholder"), ("x/\u{301}y", "x/.\u{301}y.placeholder"),
  ])
  func `has a placeholder beside it`(path: String, placeholder: String) {
    #expect(DocumentPath.placeholder(of: path) == placeholder)
    #expect(DocumentPath.isPlaceholder(placeholder))
    #expect(!DocumentPath.isPlaceholder(path))
  }

  @Test func `of a rule has a sentence of advice, and a code`() {
    for rule in DocumentRule.allCases {
      let error = ExtensionError.document(rule, "No.")
      #expect(error.recovery?.hasSuffix(".") == true)
      #expect([.invalidParams, .documentRefused].contains(error.code))
      #expect(error.documentRule == rule)
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `An error of a file provider` {
  /// NSFileProviderError.h, name by name.
  private static let codes: [(String, Int)] = [
    ("notAuthenticated", -1000), ("filenameCollision", -1001), ("syncAnchorExpired", -1002),
    ("insufficientQuota", -1003), ("serverUnreachable", -1004), ("noSuchItem", -1005), ("deletionRejected", -1006),
    ("directoryNotEmpty", -1007), ("providerNotFound", -2001), ("providerTranslocated", -2002),
    ("olderExtensionVersionRunning", -2003), ("newerExtensionVersionFound", -2004), ("cannotSynchronize", -2005),
    ("nonEvictableChildren", -2006), ("unsyncedEdits", -2007), ("nonEvictable", -2008),
    ("versionNoLongerAvailable", -2009), ("excludedFromSync", -2010), ("domainDisabled", -2011),
    ("domainTemporarilyUnavailable", -2012), ("domainNotFound", -2013), ("applicationExtensionNotFound", -2014),
    ("localVersionConflictingWithServer", -2015),
  ]

  @Test(arguments: codes) func `has Apple's name and number, and crosses the wire`(name: String, number: Int) throws {
    let code = try #require(FileProviderErrorCode(rawValue: number))
    #expect(code.name == name)
    #expect(code.recovery.hasSuffix("."))
    let error = ExtensionError(ExtensionError.fileProvider(code, "No.").errorObject)
    #expect(error.code.number == -32050)
    #expect(error.fileProviderCode == code)
    #expect(error.details["domain"] == "NSFileProviderErrorDomain")
    #expect(error.recovery == code.recovery)
  }

  @Test func `is one of the list and no other`() {
    #expect(FileProviderErrorCode.allCases.count == Self.codes.count)
    #expect(ExtensionError(.framework, "x", details: ["domain": "Other", "code": -1004]).fileProviderCode == nil)
    #expect(ExtensionError(.handlerFailed, "x").fileProviderCode == nil)
  }
}
