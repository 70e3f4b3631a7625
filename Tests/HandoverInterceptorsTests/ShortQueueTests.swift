import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("A queue that is almost always short")
struct ShortQueueTests {
  @Test("The queue returns its elements in the order of arrival, as an array would")
  func sameAsAnArray() {
    var random = SeededGenerator(seed: 7)
    var queue: ShortQueue<UInt64> = []
    var array: [UInt64] = []
    for element in 0..<2_000 as Range<UInt64> {
      if random.next(upToAndIncluding: 1) == 0 {
        queue.append(element)
        array.append(element)
      } else {
        #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(queue.elementsEqual(array))
      #expect(queue.first == array.first && queue.count == array.count)
    }
  }

  @Test("A single element can be popped as the only one; one of several cannot")
  func popOnly() {
    var queue: ShortQueue<Int> = []
    #expect(queue.popOnly() == nil)
    queue.append(1)
    queue.append(2)
    #expect(queue.popOnly() == nil)
    _ = queue.popFirst()
    #expect(queue.popOnly() == 2 && queue.isEmpty)
  }

  @Test("Queues with the same elements are equal, whatever their history")
  func equality() {
    var queue: ShortQueue<Int> = [1, 2, 3]
    _ = queue.popFirst()
    #expect(queue == [2, 3])
    #expect(Set([queue, [2, 3]]).count == 1)
    queue.removeAll()
    #expect(queue == [] && queue.isEmpty && queue.popFirst() == nil)
  }
}
