import Greeting

/// Greets with the Swift libraries linked in.
@main
struct StaticGreeter {
  static func main() async { await Greeting.run() }
}
