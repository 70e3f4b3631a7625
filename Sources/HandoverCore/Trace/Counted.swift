/// Returns a number with its noun in the singular or plural: `1 case`, `2 cases`.
package func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
  count == 1 ? "1 \(one)" : "\(count) \(many ?? one + "s")"
}
