import Glibc

/// Answers one line per line of input, from a task group, so that the concurrency runtime and its threads are at work.
package enum Greeting {
  package static func run() async {
    let names = CommandLine.arguments.dropFirst().joined(separator: ",")
    while let line = readLine() {
      let sum = await withTaskGroup(of: Int.self) { group in
        for number in 1...64 { group.addTask { await Self.work(number) } }
        var sum = 0
        for await number in group { sum += number }
        return sum
      }
      print(#"{"line":"\#(line)","sum":\#(sum),"arguments":"\#(names)","user":\#(getuid())}"#)
      fflush(nil)
    }
  }

  private static func work(_ number: Int) async -> Int {
    await Task.yield()
    return number
  }
}
