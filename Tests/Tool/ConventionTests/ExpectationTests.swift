import Testing

/// A test that expects nothing passes without its subject.
@Suite(.timeLimit(.minutes(1))) struct `A test of the package` {
  private static let functions = SourceTree.files(below: "Tests").flatMap { file in
    TestFunction.all(in: file.code, path: file.path)
  }

  /// The names of functions that expect something, themselves or by what they call.
  private static let expecting: Set<String> = {
    var names = Set(functions.filter { $0.hasExpectation && !$0.isTest }.map(\.name))
    var count = 0
    while names.count != count {
      count = names.count
      for function in functions where !function.isTest && !names.isDisjoint(with: function.calls) {
        names.insert(function.name)
      }
    }
    return names
  }()

  @Test func `expects something, itself or by what it calls`() {
    let tests = Self.functions.filter(\.isTest)
    #expect(tests.count > 3_000)
    for test in tests where !test.hasExpectation {
      #expect(!Self.expecting.isDisjoint(with: test.calls), "\(test.path): \(test.name) expects nothing")
    }
  }

  @Test func `is found with what it calls, and not without`() {
    let code = """
      @Test func `expects`() { #expect(a == b) }
      @Test(arguments: [{ 1 }])
      func `calls`(of x: Int = { 2 }()) async throws { if x > 0 { try await check(x) } }
      func check(_ x: Int) { run { #require(x) } }
      @Test func `nothing`() { _ = load("x") }
      protocol P { func f() }
      private func load(_ text: String) -> Int { 5 }
      """
    let found = TestFunction.all(in: code, path: "x")
    #expect(found.map(\.name) == ["`expects`", "`calls`", "check", "`nothing`", "load"])
    #expect(found.map(\.isTest) == [true, true, false, true, false])
    #expect(found.map(\.hasExpectation) == [true, false, true, false, false])
    #expect(found[1].calls == ["check"] && found[3].calls == ["load"])
  }
}
