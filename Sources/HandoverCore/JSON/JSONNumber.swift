/// The reason why a number is not accepted.
package enum JSONNumberProblem: Error, Hashable, Sendable {
  /// The number has a fraction or an exponent, but an integer is required.
  case notAnInteger
  /// The number has more than three decimals.
  case tooManyDecimals
  /// The magnitude of the number exceeds the supported range.
  case outOfRange
}

extension JSONValue {
  /// The integer, or `nil` if the value is not an integer or is too large.
  package var wholeNumber: Int64? {
    guard kind == .number, case .success(let number) = integer else { return nil }
    return Int64(exactly: number)
  }

  /// The non-negative integer, or `nil` if the value is not one or is too large.
  package var unsignedNumber: UInt64? {
    guard kind == .number, case .success(let number) = integer else { return nil }
    return UInt64(exactly: number)
  }

  /// The number in thousandths, or `nil` if the value is not a number or has more decimals.
  package var wholeThousandths: Int64? {
    guard kind == .number, case .success(let number) = thousandths else { return nil }
    return Int64(exactly: number)
  }

  /// The value as an integer.
  ///
  /// - Precondition: The value is a number.
  package var integer: Result<Int128, JSONNumberProblem> {
    // A fast path, because nearly all numbers have only a few digits.
    if let number = document.nodes[node].plainDigits(in: document.bytes) {
      return .success(Int128(number))
    }
    let decimal = JSONDecimal(notation)
    guard decimal.isWrittenAsInteger else {
      return .failure(
        decimal.scaled(byPowerOfTen: 0) == .failure(.outOfRange)
          ? .outOfRange : .notAnInteger)
    }
    return decimal.scaled(byPowerOfTen: 0)
  }

  /// The exact number in thousandths.
  ///
  /// - Precondition: The value is a number.
  package var thousandths: Result<Int128, JSONNumberProblem> {
    JSONDecimal(notation).scaled(byPowerOfTen: 3)
  }
}

extension JSONNode {
  /// Returns the value of up to nine digits, or `nil` for any other notation.
  fileprivate func plainDigits(in bytes: [UInt8]) -> Int? {
    guard end - offset <= 9 else { return nil }
    var number = 0
    for position in Int(offset)..<Int(end) {
      guard bytes[position].isDigit else { return nil }
      number = number * 10 + Int(bytes[position] - UInt8(ascii: "0"))
    }
    return number
  }
}

/// A number as written, decomposed without rounding into `magnitude` times a power of ten.
private struct JSONDecimal {
  var isNegative = false
  /// The digits without leading and trailing zeros, or `nil` if there are too many.
  var magnitude: UInt64? = 0
  var powerOfTen = 0
  var isWrittenAsInteger = true

  /// Decomposes a number whose notation was already validated.
  init(_ notation: ArraySlice<UInt8>) {
    var zeros = 0
    var decimals = 0
    var isInFraction = false
    var rest = notation
    while let byte = rest.popFirst() {
      switch byte {
      case .minus:
        isNegative = true
      case .dot:
        isInFraction = true
        isWrittenAsInteger = false
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        isWrittenAsInteger = false
        powerOfTen = Self.exponent(rest)
        rest = []
      default:
        decimals += isInFraction ? 1 : 0
        if byte == UInt8(ascii: "0") {
          zeros += 1
        } else {
          append(byte - UInt8(ascii: "0"), after: magnitude == 0 ? 0 : zeros)
          zeros = 0
        }
      }
    }
    powerOfTen += zeros - decimals
  }

  /// Returns the number times a power of ten, if the result is an integer within the range.
  func scaled(byPowerOfTen power: Int) -> Result<Int128, JSONNumberProblem> {
    guard magnitude != 0 else { return .success(0) }
    let power = powerOfTen + power
    guard power >= 0 else { return .failure(.tooManyDecimals) }
    guard let magnitude, power < 20 else { return .failure(.outOfRange) }
    var value = magnitude
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return .failure(.outOfRange) }
      value = product
    }
    return .success(isNegative ? -Int128(value) : Int128(value))
  }

  private mutating func append(_ digit: UInt8, after zeros: Int) {
    guard var value = magnitude, zeros < 20 else {
      magnitude = nil
      return
    }
    for index in 0...zeros {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(index == zeros ? UInt64(digit) : 0)
      guard !overflow, !carry else {
        magnitude = nil
        return
      }
      value = sum
    }
    magnitude = value
  }

  /// Returns the exponent, clamped to a billion, beyond which every number is out of range.
  private static func exponent(_ notation: ArraySlice<UInt8>) -> Int {
    var value = 0
    for byte in notation where byte.isDigit {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
    }
    return notation.first == .minus ? -value : value
  }
}
