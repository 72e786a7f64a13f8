import Glibc

/// The strings that a C function wants as an array of pointers, freed with their owner.
@safe package struct CStrings: ~Copyable {
  /// NULL is behind the last one.
  package let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  package init(_ strings: [String]) {
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
