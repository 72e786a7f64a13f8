import JSON
import MultiLineText
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A multi-line text` {
  private func json(_ text: String) throws -> JSONValue { try JSONCoding.parse(text) }

  @Test func `of HTML has the JSON that AEM gives`() throws {
    let text = try MultiLineText(
      html: """
        <h2>Day 1</h2>
        <p>This is <b>important</b> content. <a href="http://www.adobe.com">A
        link</a></p>
        <p><img src="/content/dam/wknd/sport.jpg" alt=""></p>
        <p>Another: <a href="/content/dam/wknd/en/ultimate-guide">Ultimate Guide</a></p>
        <ul><li>One<br>more</li></ul>
        """)
    #expect(
      try text.json
        == json(
          """
          [{"nodeType":"header","style":"h2","content":[{"nodeType":"text","value":"Day 1"}]},
           {"nodeType":"paragraph","content":[
            {"nodeType":"text","value":"This is "},
            {"nodeType":"text","value":"important","format":{"variants":["bold"]}},
            {"nodeType":"text","value":" content. "},
            {"nodeType":"link","data":{"href":"http://www.adobe.com"},"value":"A link"}]},
           {"nodeType":"paragraph","content":[
            {"nodeType":"reference","data":{"path":"/content/dam/wknd/sport.jpg","mimetype":"image/jpeg"}}]},
           {"nodeType":"paragraph","content":[
            {"nodeType":"text","value":"Another: "},
            {"nodeType":"reference","data":{"href":"/content/dam/wknd/en/ultimate-guide","type":"fragment"},
             "value":"Ultimate Guide"}]},
           {"nodeType":"unordered-list","content":[{"nodeType":"list-item","content":[
            {"nodeType":"text","value":"One"},{"nodeType":"line-break","content":[]},
            {"nodeType":"text","value":"more"}]}]}]
          """))
    #expect(text.references == ["/content/dam/wknd/sport.jpg", "/content/dam/wknd/en/ultimate-guide"])
    #expect(try MultiLineText(json: text.json) == text)
  }

  @Test func `of Markdown is that of the same HTML`() throws {
    let text = try MultiLineText(
      markdown: """
        # Gear

        A **bold _and italic_** word, `code`, ~~old~~ and <u>under</u>  \nnext

        1. one
        2. two
           - nested

        | a | b |
        |---|:-:|
        | 1 | 2 |

        > quoted

        ```swift
        let a = 1
        ```

        ***

        ![A picture](/content/dam/a.png)
        """)
    let other = try MultiLineText(
      html: """
        <h1>Gear</h1>
        <p>A <b>bold <i>and italic</i></b> word, <code>code</code>, <s>old</s> and <u>under</u><br>next</p>
        <ol><li>one</li><li>two<ul><li>nested</li></ul></li></ol>
        <table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
        <blockquote><p>quoted</p></blockquote>
        <pre><code>let a = 1</code></pre>
        <hr>
        <p><img src="/content/dam/a.png" alt="A picture"></p>
        """)
    #expect(text == other, "\(text.html)\n\(other.html)")
    #expect(try MultiLineText(markdown: text.markdown) == text, "\(text.markdown)")
    #expect(try MultiLineText(html: text.html) == text, "\(text.html)")
    #expect(try MultiLineText(json: text.json) == text)
  }

  @Test func `is written as HTML and plain text like AEM's`() throws {
    let text = try MultiLineText(html: "<p>Starting at<br>{price}</p><p>a &lt; b</p><ul><li>x</li><li>y</li></ul>")
    #expect(
      text.html == "<p>Starting at<br>\n{price}</p>\n<p>a &lt; b</p>\n<ul>\n<li>x</li>\n<li>y</li>\n</ul>\n")
    #expect(text.plaintext == "Starting at\n{price}\n\na < b\n\nx\ny")
  }

  @Test func `of plain text has paragraphs and line breaks`() {
    let text = MultiLineText(plaintext: "one\r\ntwo\n\n \nthree *four*")
    #expect(text.nodes.map(\.kind) == [.paragraph, .paragraph])
    #expect(text.html == "<p>one<br>\ntwo</p>\n<p>three *four*</p>\n")
    #expect(text.plaintext == "one\ntwo\n\nthree *four*")
    #expect(text.markdown == "one\\\ntwo\n\nthree \\*four\\*\n")
  }

  @Test func `of JSON takes what it does not know for its text`() throws {
    let text = try MultiLineText(
      json: json(
        """
        [{"nodeType":"callout","content":[{"nodeType":"text","value":"hello"}]},
         {"nodeType":"list","style":"ol","content":[{"nodeType":"text","value":"bare"}]},
         {"nodeType":"table-data","content":[{"nodeType":"text","value":"cell"}]},
         {"nodeType":"header","style":"h9","content":[{"nodeType":"text","value":"t","format":{"variants":["odd"]}}]}]
        """))
    #expect(
      text.html == """
        <p>hello</p>
        <ol>
        <li>bare</li>
        </ol>
        <table>
        <tbody>
        <tr>
        <td>cell</td>
        </tr>
        </tbody>
        </table>
        <h1>t</h1>

        """)
  }

  @Test(arguments: [
    ("{}", "The text is an object, not an array of nodes."), ("[1]", "[0]: A node is a number, not an object."),
    (#"[{"nodeType":"paragraph","content":[{"value":"a"}]}]"#, "[0].content[0]: A node has no nodeType."),
  ])
  func `says what of JSON is wrong, and where`(text: String, message: String) throws {
    let error = #expect(throws: MultiLineTextError.self) { try MultiLineText(json: json(text)) }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    #expect(error?.recovery.isEmpty == false)
  }

  @Test func `reads damaged HTML as well as it can`() throws {
    let text = try MultiLineText(
      html: "a<div>b</div>c<li>d<li>e</li><p>f<p>g</ul><td>h</b>&nbsp;&unknown; <ul>i<p>j</p></ul><a href=/x>k<p>l</a>")
    #expect(try MultiLineText(html: text.html) == text, "\(text.html)")
    #expect(
      text.html.hasPrefix("<p>a</p>\n<p>b</p>\n<p>c</p>\n<ul>\n<li>d</li>\n<li>e</li>\n</ul>\n<p>f</p>\n<p>g</p>"))
    #expect(text.html.contains("<a href=\"/x\">k</a>"))
  }

  @Test func `of Markdown is the same when many are read at once`() async throws {
    let markdown = String(repeating: "a ~~b~~ www.example.com | c\n\n", count: 200)
    let expected = try MultiLineText(markdown: markdown)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 { group.addTask { (try? MultiLineText(markdown: markdown)) == expected } }
      for await isSame in group { #expect(isSame) }
    }
  }
}
