import CommandLineTool
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A completion script` {
  @Test(arguments: CompletionShell.allCases)
  func `mentions every visible command and option`(shell: CompletionShell) {
    let script = shell.script(for: SampleTool.root).description
    for command in SampleTool.root.descendants where !command.isHidden {
      #expect(script.contains(command.name))
      for option in command.options { #expect(script.contains(option.name)) }
    }
    #expect(!script.contains("secret"))
  }

  @Test(
    arguments: [
      ("host de", "defaults"), ("host defaults ''", "read"), ("host list --po", "--point"), ("host list -p s", "share"),
      ("host --json list --point to", "today"), ("host defaults read --js", "--json"), ("host zzz", ""),
    ])
  func `completes in bash`(line: String, expected: String) throws {
    let words = line.split(separator: " ")
    let script = CompletionShell.bash.script(for: SampleTool.root).description
    let driver = """
      \(script)
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _host_completions; echo "${COMPREPLY[*]}"
      """
    #expect(try bash(driver) == expected + "\n")
  }

  private func bash(_ script: String) throws -> String {
    var template = Array("/tmp/completion-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    try #require(file >= 0)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer { unlink(path) }
    let bytes = Array(script.utf8)
    try #require(write(file, bytes, bytes.count) == bytes.count)
    close(file)
    let pipe = try #require(popen("bash --norc \(path) 2>&1", "r"))
    defer { pclose(pipe) }
    var output: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { output.append(UInt8(byte)) }
    return String(decoding: output, as: UTF8.self)
  }
}
