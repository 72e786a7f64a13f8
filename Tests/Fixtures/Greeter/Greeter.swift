import Greeting

/// Greets with the Swift libraries of the machine.
@main
struct Greeter {
  static func main() async { await Greeting.run() }
}
