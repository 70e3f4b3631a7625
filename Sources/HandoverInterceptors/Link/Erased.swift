// Type-erased values that keep the equality and the hash of the wrapped values.

/// An interceptor factory of any type.
struct AnyFactory: Hashable, Sendable {
  let factory: any InterceptorFactory

  init(_ factory: any InterceptorFactory) {
    self.factory = factory
  }

  static func == (left: AnyFactory, right: AnyFactory) -> Bool {
    isSame(left.factory, right.factory)
  }

  func hash(into hasher: inout Hasher) {
    factory.hash(into: &hasher)
  }
}

/// A marshaller of any type.
struct AnyMarshaller: Hashable, Sendable {
  let marshaller: any Marshaller

  init(_ marshaller: any Marshaller) {
    self.marshaller = marshaller
  }

  static func == (left: AnyMarshaller, right: AnyMarshaller) -> Bool {
    isSame(left.marshaller, right.marshaller)
  }

  func hash(into hasher: inout Hasher) {
    marshaller.hash(into: &hasher)
  }
}

/// An interceptor of any type.
struct AnyInterceptor: Hashable, Sendable {
  var interceptor: any Interceptor

  init(_ interceptor: any Interceptor) {
    self.interceptor = interceptor
  }

  static func == (left: AnyInterceptor, right: AnyInterceptor) -> Bool {
    isSame(left.interceptor, right.interceptor)
  }

  func hash(into hasher: inout Hasher) {
    interceptor.hash(into: &hasher)
  }
}

/// Returns whether two values have the same type and are equal.
func isSame(_ left: any Hashable, _ right: any Hashable) -> Bool {
  func compare<Value: Hashable>(_ left: Value) -> Bool { right as? Value == left }
  return compare(left)
}
