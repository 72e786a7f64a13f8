import Foundation
import TestSupport
import Testing

@testable import HTML

@Suite(.timeLimit(.minutes(1)))
struct `Mark-up` {
  /// Texts that close, open, or change the direction of what is around them.
  static let hostile: [String] = {
    let seeds = [
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)", "</bdi></p></main>",
      "<!--", "]]>", "&lt;script&gt;", "&#60;script&#62;", "<svg/onload=alert(1)>", "`onload=alert(1)`",
      "\u{202E}txt.exe",
      "\u{2066}\u{2067}\u{2068}", "\u{2069}\u{2069}", "\0\u{1}\u{1B}[2J\u{7F}\u{9B}",
      "<a href=\"javascript:alert(1)\">x</a>",
      "<base href=//evil.example>", "<meta http-equiv=refresh content=0>", "</textarea><iframe srcdoc=\"x\">",
      "\u{FFFE}\u{FFFF}",
      "<\u{0}script>", "\u{E0001}\u{E0041}", "{{constructor.constructor('alert(1)')()}}",
      "<style>*{display:none}</style>",
      "<form action=//evil.example><button>", "<bdo dir=rtl>",
    ]
    let frames: [(String, String)] = [
      ("", ""), ("\"", "\""), ("</", ">"), ("=", " x="), ("\u{202E}", "\u{202C}"), ("'", "'"), ("<", "\n"), ("&", ";"),
    ]
    return seeds.flatMap { seed in frames.map { "\($0.0)\(seed)\($0.1)" } }
  }()

  @Test func `has at least two hundred texts to be tried with`() { #expect(Self.hostile.count >= 200) }

  /// Whether a text could end an element, begin one, leave an attribute, or turn what follows around.
  private func breaks(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A, 0x09: false
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
      default: "<>\"'`".unicodeScalars.contains(scalar)
      }
    }
  }

  @Test(arguments: try Cases.present(hostile)) func `is not broken by a text`(text: String) {
    let content: HTML = "\(text)"
    #expect(!breaks(content.text))
    // An ampersand begins nothing but one of the references that escaping makes.
    let references = content.text.split(separator: "&", omittingEmptySubsequences: false).dropFirst()
    #expect(
      references.allSatisfy { rest in ["amp;", "lt;", "gt;", "quot;", "#39;", "#96;"].contains { rest.hasPrefix($0) } })
    let foreign: HTML = "\(foreign: text)"
    #expect(foreign.text.hasPrefix("<bdi>") && foreign.text.hasSuffix("</bdi>"))
    #expect(!breaks(String(foreign.text.dropFirst(5).dropLast(6))))
  }

  @Test func `keeps what is mark-up already, and the words of texts`() {
    let inner: HTML = "<b>\("a & b")</b>"
    let outer: HTML = "<p class=\"\("x\" y")\">\(inner)\(3)\([inner, inner])\(nil as HTML?)</p>"
    #expect(
      outer.text
        == "<p class=\"x&quot; y\"><b>a &amp; b</b>3<b>a &amp; b</b><b>a &amp; b</b></p>")
  }

  @Test(arguments: [(0, "…"), (2, "ab…"), (3, "abc"), (4, "abc")]) func `cuts a text at its limit`(
    most: Int, shown: String
  ) {
    let html: HTML = "\(foreign: "abc", most: most)"
    #expect(html.text == "<bdi>\(shown)</bdi>")
  }

  @Test func `cuts a character with any number of accents`() {
    let html: HTML = "\(foreign: "e" + String(repeating: "\u{301}", count: 100_000), most: 100)"
    #expect(html.count < 500)
  }
}

extension `Mark-up` {
  @Test func `shows no character that steers, up to the last of each kind`() {
    let hidden: [UInt32] = [
      0, 8, 0xB, 0x1F, 0x7F, 0x9F, 0x202A, 0x202E, 0x2066, 0x2069, 0xFFF9, 0xFFFB, 0xE0000, 0xE007F, 0xFDD0, 0xFDEF,
      0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF,
    ]
    let shown: [UInt32] = [
      9, 0xA, 0x20, 0x7E, 0xA0, 0x2029, 0x202F, 0x2065, 0x206A, 0xFFF8, 0xFFFC, 0xE0080, 0xFDCF, 0xFDF0, 0xFFFD,
      0x1FFFD,
    ]
    for value in hidden + shown {
      guard let scalar = Unicode.Scalar(value) else {
        Issue.record("\(value)")
        continue
      }
      #expect(HTMLText.escaped(String(scalar)) == (shown.contains(value) ? String(scalar) : "\u{FFFD}"), "\(value)")
    }
    #expect(HTMLText.escaped("&<>\"'`a") == "&amp;&lt;&gt;&quot;&#39;&#96;a")
  }

  @Test func `is joined and counted in bytes`() {
    let pieces: [HTML] = ["<b>", "é", "</b>"]
    #expect(pieces.joined(separator: ", ").text == "<b>, é, </b>" && pieces.joined().text == "<b>é</b>")
    var sum: HTML = .empty
    for piece in pieces { sum += piece }
    #expect(sum == pieces[0] + pieces[1] + pieces[2] && sum.count == 9 && HTML.empty.count == 0)
  }

  @Test func `cuts a foreign text after 300 characters`() {
    let most = String(repeating: "é", count: 300)
    for (text, shown) in [(most, most), (most + "a", most + "…")] {
      let html: HTML = "\(foreign: text)"
      #expect(html.text == "<bdi>\(shown)</bdi>")
    }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Bars in a picture` {
  @Test func `are as long as their values, with words that break nothing`() {
    let plot = BarPlot(
      title: "<b>",
      bars: [.init(label: "</text><script>", value: 10, caption: "10 ms"), .init(label: "b", value: 5, caption: "\"")])
    #expect(plot.html.text.contains("width=\"330\"") && plot.html.text.contains("width=\"165\""))
    #expect(
      !plot.document.contains("<script") && !plot.document.contains("<b>") && plot.document.hasPrefix("<svg role"))
    #expect(plot.document.contains("xmlns=\"http://www.w3.org/2000/svg\""))
  }

  @Test func `are two wide at least, below each other, with 48 and 24 characters of their words`() {
    let (label, caption) = (String(repeating: "é", count: 48), String(repeating: "ü", count: 24))
    let plot = BarPlot(
      title: "t",
      bars: [
        .init(label: label, value: 1_000, caption: caption),
        .init(label: label + "a", value: 1, caption: caption + "a"),
      ])
    let text = plot.html.text
    #expect(text.contains(">\(label)</text>") && text.contains(">\(label)…</text>"))
    #expect(text.contains(">\(caption)</text>") && text.contains(">\(caption)…</text>"))
    #expect(text.contains("<rect x=\"280\" y=\"36\" width=\"330\"") && text.contains("<text x=\"618\" y=\"48\""))
    #expect(text.contains("<rect x=\"280\" y=\"60\" width=\"2\"") && text.contains("<text x=\"290\" y=\"72\""))
    #expect(text.contains("viewBox=\"0 0 720 96\"") && text.contains("<text x=\"272\" y=\"72\""))
  }

  @Test(arguments: [[], [0], [-1], [.nan], [.infinity], [.infinity, 3]] as [[Double]])
  func `stand for any numbers`(values: [Double]) {
    let plot = BarPlot(title: "a", bars: values.map { .init(label: "a", value: $0, caption: "") })
    #expect(plot.html.text.components(separatedBy: "<rect").count == values.count + 1)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `Columns in a picture` {
  @Test func `are as high as their values, and say the highest and the newest`() {
    let plot = ColumnPlot(
      title: "Memory <b>",
      columns: [.init(value: 10, caption: "10 MiB"), .init(value: 5, caption: "</title><script>")])
    #expect(plot.html.text.contains("height=\"72\"") && plot.html.text.contains("height=\"36\""))
    #expect(!plot.html.text.contains("<script") && !plot.html.text.contains("<b>"))
    #expect(plot.html.text.contains(">10 MiB at most</text>"))
    // Twelve columns at least, with two between them.
    #expect(plot.html.text.contains("viewBox=\"0 0 320 96\"") && plot.html.text.contains("<text x=\"320\""))
    #expect(plot.html.text.contains("<rect x=\"26\" y=\"60\" width=\"24\" height=\"36\""))
    #expect(plot.summary == "Memory <b>: 10 MiB at most, </title><script> in the last of 2")
  }

  @Test(arguments: [(12, "26", "24"), (13, "24", "22"), (160, "2", "2"), (1_000, "0", "2")])
  func `share the width from the thirteenth on, and stay two wide`(count: Int, place: String, width: String) {
    let plot = ColumnPlot(title: "t", columns: (0..<count).map { _ in .init(value: 1, caption: "c") })
    let columns = plot.html.text.components(separatedBy: "<rect ")
    #expect(columns.count == count + 1)
    #expect(columns[2].hasPrefix("x=\"\(place)\" y=\"24\" width=\"\(width)\" height=\"72\""), "\(columns[2])")
  }

  @Test func `show 24 characters of a caption`() {
    let caption = String(repeating: "é", count: 24)
    for (whole, shown) in [(caption, caption), (caption + "a", caption + "…")] {
      let text = ColumnPlot(title: "t", columns: [.init(value: 1, caption: whole)]).html.text
      #expect(text.contains("<title>\(shown)</title>") && text.contains(">\(shown) at most</text>"))
    }
  }

  @Test(arguments: [[], [0], [-1], [.nan], [.infinity], [.infinity, 3]] as [[Double]])
  func `stand for any numbers`(values: [Double]) {
    let plot = ColumnPlot(title: "a", columns: values.map { .init(value: $0, caption: "") })
    #expect(plot.html.text.components(separatedBy: "<rect").count == values.count + 1)
  }
}
