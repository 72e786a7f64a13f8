import Foundation
import TestSupport
import Testing

/// The table of `make mutants`: faults that one of the suites has to notice.
@Suite(.timeLimit(.minutes(1))) struct `A fault of the table of mutants` {
  struct Fault: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let find: String
    let replacement: String
    let suite: String

    var testDescription: String { name }
  }

  static let path = "Tests/Mutants/mutants.tsv"

  static let rows: [[String]] = {
    let text = (try? String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }()

  static let faults = rows.dropFirst().filter { $0.count == 5 }.map {
    Fault(name: $0[0], file: $0[1], find: $0[2], replacement: $0[3], suite: $0[4])
  }

  @Test func `has its columns, and a name of its own`() {
    #expect(Self.rows.first == ["fault", "file", "find", "replace", "tests"])
    #expect(Self.faults.count == Self.rows.count - 1)
    #expect(Self.faults.count >= 30)
    #expect(Set(Self.faults.map(\.name)).count == Self.faults.count)
    // Of each kind of policy there are some.
    let policies = [
      "Broker/", "Permissions/", "Fetching/", "FileProvider/", "Limits/", "Secrets", "Bounded", "Sources/C/",
    ]
    for policy in policies { #expect(Self.faults.contains { $0.file.contains(policy) }, "\(policy)") }
  }

  @Test(arguments: try Cases.present(faults)) func `can be put in: its text stands in its file once`(fault: Fault)
    throws
  {
    let file = try #require(SourceTree.file(fault.file), "there is no \(fault.file)")
    let count = file.text.components(separatedBy: fault.find).count - 1
    #expect(count == 1, "“\(fault.find)” stands \(count) times in \(fault.file)")
    #expect(fault.find != fault.replacement)
  }

  @Test(arguments: try Cases.present(faults)) func `names a suite that there is`(fault: Fault) {
    #expect(SourceTree.suites[fault.suite] != nil, "no suite is called \(fault.suite)")
  }
}
