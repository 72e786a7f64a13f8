import Cryptography
import JSON
import Testing

@testable import UpdateMetadata

@Suite(.timeLimit(.minutes(1)))
struct `Signed metadata` {
  @Test func `has one form, in which names are in the order of their bytes`() {
    let value: JSONValue = ["b": [1, true, .null], "a": "x\"\\\n", "B": ["ä": -2]]
    #expect(
      CanonicalJSON.bytes(of: value).map { String(decoding: $0, as: UTF8.self) }
        == "{\"B\":{\"ä\":-2},\"a\":\"x\\\"\\\\\n\",\"b\":[1,true,null]}")
    #expect(CanonicalJSON.bytes(of: ["a": 1.5]) == nil)
  }

  @Test func `counts one key once, however often and under however many names it signs`() throws {
    let key = try Ed25519.PrivateKey.generate()
    let signed: JSONValue = ["_type": "x"]
    let signature = Hexadecimal.text(for: try key.signature(of: CanonicalJSON.bytes(of: signed) ?? []))
    let document: JSONValue = [
      "signed": signed,
      "signatures": [["keyid": "one", "sig": .string(signature)], ["keyid": "two", "sig": .string(signature)]],
    ]
    let metadata = try SignedMetadata(Array(document.description.utf8), file: "x.json")
    let keys = ["one": MetadataKey(key.publicKey), "two": MetadataKey(key.publicKey)]
    try metadata.requireSignatures(of: MetadataRole(keys: ["one", "two"]), keys: keys)
    #expect(throws: MetadataError.self) {
      try metadata.requireSignatures(of: MetadataRole(keys: ["one", "two"], threshold: 2), keys: keys)
    }
  }

  @Test func `has roles that name each key once, and need one signature at least`() {
    #expect(MetadataRole(["keyids": ["a", "a"], "threshold": 1] as JSONValue) == nil)
    #expect(MetadataRole(["keyids": ["a"], "threshold": 0] as JSONValue) == nil)
    #expect(MetadataRole(["keyids": ["a"], "threshold": 65] as JSONValue) == nil)
    #expect(MetadataRole(["keyids": ["a"], "threshold": 2] as JSONValue)?.threshold == 2)
  }

  @Test(arguments: [
    ("*", "a", true), ("*", "a/b", false), ("a/*", "a/b.c", true), ("*.tgz", "foo.tgz", true), ("foo-?", "foo-1", true),
    ("foo-?", "foo-12", false), ("*a*b*c", "xaybzc", true), ("*a*b*c", "xaybz", false), ("", "", true),
    ("A", "a", false),
    (String(repeating: "*a", count: 400), String(repeating: "a", count: 900), true),
    (String(repeating: "*a", count: 400) + "b", String(repeating: "a", count: 900), false),
  ])
  func `delegates files by patterns within one component`(pattern: String, path: String, isMatch: Bool) {
    #expect(PathPattern.matches(pattern, path) == isMatch)
  }

  @Test(
    arguments: [
      (.malformed, "tell who publishes"), (.notSigned, "tell who publishes"), (.mixed, "tell who publishes"),
      (.endless, "tell who publishes"), (.expired, "the clock of this machine"), (.rolledBack, "Do not use the index"),
      (.missing, "the address of the index"), (.unknownFile, "Check the name."),
    ] as [(MetadataError.Kind, String)])
  func `that is not believed is told with what to do`(kind: MetadataError.Kind, words: String) {
    let error = MetadataError(kind, String(repeating: "é", count: 201), "It is not believed.")
    #expect(error.recovery.contains(words) && "\(error)" == "It is not believed.")
    #expect(error.file == String(repeating: "é", count: 200))
  }

  @Test func `describes files with a digest that is known here`() {
    #expect(FileDescription(["length": 1, "hashes": ["md5": "00"]], limit: 9) == nil)
    #expect(FileDescription(["length": 10, "hashes": ["sha256": "00"]], limit: 9) == nil)
    #expect(FileDescription(["length": -1], limit: 9) == nil)
    #expect(FileDescription(["length": 9, "hashes": ["sha256": "00", "md5": "00"]], limit: 9)?.length == 9)
    let described = FileDescription(of: [1, 2])
    #expect(throws: Never.self) { try described.require([1, 2], file: "x") }
    #expect(throws: MetadataError.self) { try described.require([1, 3], file: "x") }
    #expect(throws: MetadataError.self) { try described.require([1, 2, 3], file: "x") }
  }
}
