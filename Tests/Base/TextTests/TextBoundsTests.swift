import Testing
import Text

@Suite(.timeLimit(.minutes(1))) struct `Base64 at its edges` {
  @Test(
    arguments: [
      ([], ""), ([0x00], "AA=="), ([0xFF], "/w=="), ([0x00, 0x10], "ABA="), ([0xFB, 0xEF, 0xBE], "++++"),
      ([0xFF, 0xFF, 0xFF], "////"), ([0x69, 0xB7, 0x1D], "abcd"), ([0x00, 0x00, 0x00, 0x01], "AAAAAQ=="),
      ([0xFF, 0xFF, 0xFF, 0xFF, 0xFC], "//////w="),
    ] as [([UInt8], String)])
  func `is written with padding, and read with it alone`(bytes: [UInt8], text: String) {
    #expect(Base64.encode(bytes) == text && Base64.decode(text) == bytes)
    // Bytes that do not lie one behind the other.
    #expect(Base64.encode(bytes.reversed().reversed() as ReversedCollection<ReversedCollection<[UInt8]>>) == text)
    #expect(Base64.length(of: bytes.count) == text.utf8.count)
  }

  @Test(arguments: [
    "AB==", "AAB=", "/x==", "//9=", "A\u{0}==", "AAAA\n", "AAA:", "@AAA", "AA[A", "`AAA", "AAA{", "AA,A", "AAA=AAAA",
    "AA==AAAA", "A=AA", "AAAA====", "AAAAA", "ÿAA",
  ])
  func `is refused with stray bits, letters and padding`(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test func `has for URLs no padding, and its own two letters`() {
    #expect(Base64URL.encode([0xFB, 0xEF, 0xFE]) == "--_-" && Base64URL.decode("--_-") == [0xFB, 0xEF, 0xFE])
    #expect(Base64URL.encode([0xFF]) == "_w" && Base64URL.decode("_w") == [0xFF] && Base64URL.decode("_x") == nil)
    #expect(Base64URL.decode("A+AA") == nil && Base64URL.decode("A/AA") == nil && Base64URL.decode("AAA=") == nil)
    #expect(Base64URL.decode("") == [] && Base64URL.decode("AAAAA") == nil)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A foreign text at its edges` {
  @Test func `is cut between scalars, whatever they join to`() {
    #expect("e\u{301}x".shownInMessage(limit: 1).unicodeScalars.map(\.value) == [0x65, 0x2026])
    #expect("e\u{301}".shownInMessage(limit: 2) == "e\u{301}" && "a".shownInMessage(limit: 0) == "…")
    #expect("".shownInMessage(limit: 0) == "" && "ab".dropFirst().shownInMessage() == "b")
    #expect(
      "\n\n\n".shownInMessage(limit: 2) == "\u{FFFD}\u{FFFD}…" && "\u{AD}\u{A0}".shownInMessage() == "\u{FFFD}\u{A0}")
  }

  @Test func `is quoted up to 200 scalars and from the first 4096`() {
    #expect(quotable("a\u{1}\u{85}\u{2028}b") == "a b" && quotable("\u{AD}a\u{200D} \u{FEFF}b") == "a b")
    let accents = "e" + String(repeating: "\u{301}", count: 300)
    #expect(quotable(accents).unicodeScalars.count == 201)
    // Cut only where something is missing; a space at the bound is not more than fits.
    let most = String(repeating: "a", count: 199)
    #expect(quotable(most + "b") == most + "b" && quotable(most + "bc") == most + "b…")
    #expect(quotable(most + "b ") == most + "b" && quotable(most + " b") == most + "…")
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Near misses at their edges` {
  @Test func `count insertions, removals, changes and swaps of neighbours as one each`() {
    for (word, name) in [("abcdef", "abcdefg"), ("abcdefg", "abcdef"), ("abcdef", "abXdef"), ("abcdef", "abdcef")] {
      #expect(nearMisses(of: word, in: [name, "zzzzzz"]) == [name])
    }
    // The nearest first: one change before two, and then by name.
    #expect(nearMisses(of: "abcdef", in: ["abcdXX", "abcdeX", "abXdeX", "Xbcdef"]) == ["Xbcdef", "abcdeX", "abXdeX"])
    // A swap counts once where it stands alone, and letters that are not neighbours are two changes.
    #expect(nearMisses(of: "abc", in: ["bac", "acb", "cba"]) == ["acb", "bac"])
  }

  @Test func `begin with the word, or are its beginning, if it has two letters`() {
    #expect(nearMisses(of: "ab", in: ["abcdefgh", "a", "b", "xabc"]) == ["a", "b", "abcdefgh"])
    #expect(
      nearMisses(of: "a", in: ["abcdefgh"]) == [] && nearMisses(of: "abcdefgh", in: ["ab", "a", ""]) == ["ab", "a"])
  }

  @Test func `make a sentence of two, and leave long words alone`() {
    #expect(didYouMean(["a", "b"]) == "Did you mean a or b?")
    let long = String(repeating: "x", count: 256)
    #expect(nearMisses(of: long + "y", in: [long + "zzzz"]) == [long + "zzzz"])
    #expect(nearMisses(of: "ÄÖÜ", in: ["äöü", "AOU"]) == ["äöü"])
  }
}
