import FuzzTargets
import Glibc

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's loop, for programs with a `main` of their own.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
  _ input: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The entry of the program, by the name that the package manager gives it.
@_cdecl("fuzz_main")
func start(_ count: CInt, _ arguments: Arguments) -> CInt {
  var (count, arguments) = unsafe (count, arguments)
  return unsafe runDriver(&count, &arguments) { start, count in unsafe fuzzOneInput(start, count) }
}

/// One input. The environment names the target, as libFuzzer has the arguments for itself.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let name = unsafe getenv("FUZZ_TARGET").map({ unsafe String(cString: $0) }), let target = FuzzTargets.all[name]
  else {
    unsafe puts("error: FUZZ_TARGET must be one of \(FuzzTargets.all.keys.sorted())")
    exit(64)
  }
  unsafe target([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
