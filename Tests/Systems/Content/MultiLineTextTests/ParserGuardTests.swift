import Testing

@testable import MultiLineText

@Suite(.timeLimit(.minutes(1))) struct `The guard before a parser` {
  private func markdown(_ parts: String...) -> MultiLineTextError? {
    refusal { bytes throws(MultiLineTextError) in try MarkdownGuard.check(bytes) }(parts)
  }

  private func html(_ parts: String...) -> MultiLineTextError? {
    refusal { bytes throws(MultiLineTextError) in try HTMLGuard.check(bytes) }(parts)
  }

  private func refusal(
    _ check: @escaping ([UInt8]) throws(MultiLineTextError) -> Void
  ) -> ([String]) -> MultiLineTextError? {
    { parts in
      do throws(MultiLineTextError) {
        try check(Array(parts.joined().utf8))
        return nil
      } catch {
        return error
      }
    }
  }

  private func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test(arguments: [" ", "\t", "\n"]) func `lets words of 8 KiB pass, and none longer`(space: String) {
    let word = many("x", 8_192)
    #expect(markdown(word, space, word) == nil)
    let error = markdown("a\n\n", word, space, word, "x")
    #expect(error?.message == "A word is longer than 8 KiB." && error?.line == (space == "\n" ? 4 : 3))
    #expect(markdown(many("é", 4_096)) == nil && markdown(many("é", 4_096), "x") != nil)
  }

  @Test func `lets 256 bars of a line pass`() {
    let bars = many("|", 256)
    #expect(markdown(bars, "\n", bars) == nil)
    #expect(markdown(bars, "a|")?.message == "A line has more than 256 bars (|).")
    #expect(markdown("a\n", bars, " |")?.line == 2)
  }

  @Test(arguments: ["<!", "<?"]) func `lets a thousand declarations pass`(opening: String) {
    let message = "The text has more than 1000 declarations and comments of HTML."
    #expect(markdown(many("\(opening) ", 1_000), "<a ? ! >!") == nil)
    #expect(markdown(many("\(opening) ", 1_001))?.message == message)
    #expect(markdown(many("<! ", 500), many("<? ", 501))?.message == message)
    #expect(markdown("!?", many("! ? ", 2_000)) == nil)
  }

  @Test func `lets fifty thousand cells pass, of tables together`() {
    let message = "Tables have more than 50000 cells."
    let row = "a|b|c|d\n"
    #expect(markdown(many(row, 12_500)) == nil && markdown(many(row, 12_501))?.message == message)
    #expect(markdown(many(row, 6_250), "\n", many(row, 6_250)) == nil)
    #expect(markdown(many(row, 6_250), " \n", many(row, 6_251))?.message == message)
    // One bar is no table, and a row makes the others as wide as it is.
    #expect(markdown(many("a|b\n", 40_000)) == nil)
    #expect(markdown("|||\n", many("a\n", 12_499)) == nil && markdown("|||\n", many("a\n", 12_500))?.message == message)
    #expect(markdown("|||\n\n", many("a\n", 40_000)) == nil)
  }

  @Test func `lets definitions be copied up to 8 MiB`() {
    let message = "The text has long definitions of links and very many brackets."
    // With its line end the block has 4096 bytes, and it has a bracket itself.
    let definition = "[a]: " + many("x", 4_090) + "\n\n"
    #expect(markdown(definition, many("] ", 2_047)) == nil)
    #expect(markdown(definition, many("] ", 2_048))?.message == message)
    #expect(markdown(many("] ", 2_047), "\n\n[a]: ", many("x", 4_000)) == nil)
    #expect(markdown(many("] ", 3_000), "\n\n[a]: ", many("x", 4_000))?.message == message)
    // A block ends at a blank line, and what has no definition is not copied.
    #expect(markdown("[a]: b\n\n", many("] ", 6_000)) == nil)
    #expect(markdown("[a] : b ", many("] ", 6_000)) == nil)
    #expect(markdown(":", many("] ", 6_000)) == nil)
    #expect(markdown("[a]: b ", many("] ", 6_000))?.message == message)
  }

  @Test func `lets tags of 1024 attributes pass`() {
    let message = "A tag has more than 1024 attributes."
    for attribute in [" b", " b=c", " b='>'", "\tb=\"\"", "\nb= c", "/b"] {
      #expect(html("<a", many(attribute, 1_024), ">", many(" b", 2_000)) == nil, "\(attribute)")
      #expect(html("<a", many(attribute, 1_025), ">")?.message == message, "\(attribute)")
    }
    // A value in quotation marks needs no space behind it.
    #expect(html("<a ", many("b=''", 1_024)) == nil && html("<a ", many("b=''", 1_025))?.message == message)
    #expect(html(many("<Z" + many(" b", 1_024) + ">", 2)) == nil)
    #expect(html("<Z", many(" b", 1_025))?.message == message && html("<z", many(" b", 1_025))?.message == message)
    for text in ["<1", "</a", "< a", "a<", "<é"] { #expect(html(text, many(" b", 2_000)) == nil, "\(text)") }
    #expect(html("a\n<p>\n<a", many(" b", 1_025))?.line == 3)
  }

  @Test func `lets values of 8 KiB pass`() {
    let value = many("x", 8_192)
    #expect(html("<a b=\"", value, "\" c='", value, "'>") == nil)
    let error = html("\n<a b=\"", value, "x\">")
    #expect(error?.message == "An attribute is longer than 8 KiB." && error?.line == 2)
    #expect(html("<a b='\"", value, "'>")?.message == "An attribute is longer than 8 KiB.")
    #expect(html("<a b=", value, value, ">") == nil && html("<a b>\"", value, value) == nil)
    #expect(html("<a \"", value, value, "\">") == nil)
  }
}
