internal import JSON

/// The text that `JSON.stringify` makes of a value: as compact JSON, with numbers as JavaScript writes them, so that
/// the same variables make the same URL in every client.
func webText(of value: JSONValue) -> String {
  switch value {
  case .double(let number): return webText(of: number)
  case .array(let values): return "[" + values.map { webText(of: $0) }.joined(separator: ",") + "]"
  case .object(let object):
    let members = object.map { "\(JSONCoding.text(of: .string($0.key))):\(webText(of: $0.value))" }
    return "{" + members.joined(separator: ",") + "}"
  default: return JSONCoding.text(of: value)
  }
}

/// ECMA-262, 6.1.6.1.20: the shortest digits, with an exponent only below 1e-6 and from 1e21.
private func webText(of number: Double) -> String {
  guard number.isFinite else { return "null" }
  if number == 0 { return "0" }
  // Swift's text holds the same shortest digits.
  let parts = String(describing: number.magnitude).split(separator: "e")
  let mantissa = parts[0].split(separator: ".")
  let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
  var digits = String(mantissa[0] + fraction)
  // The value is 0.DIGITS times ten to the power of `point`.
  var point = mantissa[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  let zeros = digits.prefix { $0 == "0" }.count
  digits.removeFirst(zeros)
  point -= zeros
  while digits.hasSuffix("0") { digits.removeLast() }
  return (number < 0 ? "-" : "") + place(digits, point: point)
}

private func place(_ digits: String, point: Int) -> String {
  if digits.count <= point, point <= 21 { return digits + String(repeating: "0", count: point - digits.count) }
  if 0 < point, point <= 21 { return "\(digits.prefix(point)).\(digits.dropFirst(point))" }
  if -6 < point, point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
  let exponent = "e\(point > 0 ? "+" : "-")\((point - 1).magnitude)"
  return digits.count == 1 ? digits + exponent : "\(digits.prefix(1)).\(digits.dropFirst())\(exponent)"
}
