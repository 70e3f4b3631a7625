/// Why a number cannot be taken.
package enum JSONNumberProblem: Error, Hashable, Sendable {
  /// It has a fraction or an exponent where a whole number is wanted.
  case notAnInteger
  /// It has more than three decimals.
  case tooManyDecimals
  /// Its size is beyond everything that is ever wanted.
  case outOfRange
}

extension JSONValue {
  /// The whole number it is; nil where it is anything else, or too large.
  package var wholeNumber: Int64? {
    guard kind == .number, case .success(let number) = integer else { return nil }
    return Int64(exactly: number)
  }

  /// The same for numbers that have no sign and may be larger.
  package var unsignedNumber: UInt64? {
    guard kind == .number, case .success(let number) = integer else { return nil }
    return UInt64(exactly: number)
  }

  /// The number in thousandths, exactly; nil where it is none, or has more decimals.
  package var wholeThousandths: Int64? {
    guard kind == .number, case .success(let number) = thousandths else { return nil }
    return Int64(exactly: number)
  }

  /// The whole number it is.
  ///
  /// - Precondition: it is a number.
  package var integer: Result<Int128, JSONNumberProblem> {
    // Nearly all numbers are a few digits, and no work to take apart.
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

  /// The number in thousandths, exactly.
  ///
  /// - Precondition: it is a number.
  package var thousandths: Result<Int128, JSONNumberProblem> {
    JSONDecimal(notation).scaled(byPowerOfTen: 3)
  }
}

extension JSONNode {
  /// The number that up to nine digits write; nil where there are more, or anything else.
  fileprivate func plainDigits(in bytes: [UInt8]) -> Int? {
    guard end - offset <= 9 else { return nil }
    var number = 0
    for place in Int(offset)..<Int(end) {
      guard bytes[place].isDigit else { return nil }
      number = number * 10 + Int(bytes[place] - UInt8(ascii: "0"))
    }
    return number
  }
}

/// A number as it is written, taken apart without rounding: `magnitude` times a power of ten.
private struct JSONDecimal {
  var isNegative = false
  /// The digits without the zeros at both ends; nil where they are too many to be of use.
  var magnitude: UInt64? = 0
  var powerOfTen = 0
  var isWrittenAsInteger = true

  /// Takes a number apart whose notation has been found correct.
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

  /// The number times a power of ten, where that is a whole number of a size that fits.
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

  /// The exponent, bounded: beyond a thousand million every number is out of range alike.
  private static func exponent(_ notation: ArraySlice<UInt8>) -> Int {
    var value = 0
    for byte in notation where byte.isDigit {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000)
    }
    return notation.first == .minus ? -value : value
  }
}
