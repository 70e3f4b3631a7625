import HandoverCore
import HandoverScenario

/// Handles one input of libFuzzer: reads it, and checks the invariants of every reading.
@_cdecl("LLVMFuzzerTestOneInput")
public func readOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let reading = ScenarioReader.read(file: "fuzz.json", bytes: bytes)
  if let violation = ReadingProperties.violation(of: reading, bytes: bytes) {
    fatalError(violation)
  }
  return 0
}
