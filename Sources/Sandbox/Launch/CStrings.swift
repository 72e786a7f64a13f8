import Glibc

/// The strings that a C function wants as an array of pointers, freed with their owner.
@safe struct CStrings: ~Copyable {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointers = .allocate(capacity: count + 1)
    unsafe pointers.initialize(repeating: nil, count: count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
  }

  deinit {
    for index in 0..<count { unsafe free(pointers[index]) }
    unsafe pointers.deallocate()
  }
}
