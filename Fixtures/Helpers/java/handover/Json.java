package handover;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader and a writer of JSON for the values of the protocol; numbers are integers. */
final class Json {
  /** The maximum depth of arrays and objects. */
  private static final int MAXIMUM_DEPTH = 64;

  private final String text;
  private int place;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Returns the object on a line. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> object(String line) throws LabException {
    var json = new Json(line);
    Object value;
    try {
      value = json.value();
    } catch (IndexOutOfBoundsException | NumberFormatException error) {
      throw json.error();
    }
    json.skipBlanks();
    if (json.place < line.length() || !(value instanceof Map)) throw json.error();
    return (Map<String, Object>) value;
  }

  private LabException error() {
    return new LabException("the lab answered " + text);
  }

  private void skipBlanks() {
    while (place < text.length() && text.charAt(place) <= ' ') place++;
  }

  private char next() {
    skipBlanks();
    return text.charAt(place);
  }

  private boolean take(String expected) {
    skipBlanks();
    boolean isNext = text.startsWith(expected, place);
    if (isNext) place += expected.length();
    return isNext;
  }

  private void demand(String expected) throws LabException {
    if (!take(expected)) throw error();
  }

  private Object value() throws LabException {
    if (++depth > MAXIMUM_DEPTH) throw error();
    try {
      if (take("{")) return members();
      if (take("[")) return elements();
      if (take("true")) return true;
      if (take("false")) return false;
      if (take("null")) return null;
      if (next() == '"') return string();
      int start = place;
      while (place < text.length() && "-0123456789".indexOf(text.charAt(place)) >= 0) place++;
      return Long.parseLong(text.substring(start, place));
    } finally {
      depth--;
    }
  }

  private Map<String, Object> members() throws LabException {
    var members = new LinkedHashMap<String, Object>();
    if (take("}")) return members;
    do {
      String key = string();
      demand(":");
      members.put(key, value());
    } while (take(","));
    demand("}");
    return members;
  }

  private List<Object> elements() throws LabException {
    var elements = new ArrayList<Object>();
    if (take("]")) return elements;
    do {
      elements.add(value());
    } while (take(","));
    demand("]");
    return elements;
  }

  private String string() throws LabException {
    demand("\"");
    var result = new StringBuilder();
    while (true) {
      char next = text.charAt(place++);
      if (next == '"') return result.toString();
      if (next != '\\') {
        result.append(next);
        continue;
      }
      char escaped = text.charAt(place++);
      if (escaped == 'u') {
        result.append((char) Integer.parseInt(text.substring(place, place + 4), 16));
        place += 4;
        continue;
      }
      int known = "\"\\/bfnrt".indexOf(escaped);
      if (known < 0) throw error();
      result.append("\"\\/\b\f\n\r\t".charAt(known));
    }
  }

  /** Returns the text of a string, a list of strings, an integer, or a map of these. */
  static String text(Object value) {
    if (value instanceof Map<?, ?> map) {
      var members = new ArrayList<String>();
      map.forEach((key, one) -> members.add(text(key) + ":" + text(one)));
      return "{" + String.join(",", members) + "}";
    }
    if (value instanceof List<?> list) {
      return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
    }
    if (!(value instanceof String string)) return String.valueOf(value);
    var result = new StringBuilder("\"");
    for (char one : string.toCharArray()) {
      if (one < ' ' || one == '"' || one == '\\') {
        result.append(String.format("\\u%04x", (int) one));
      } else {
        result.append(one);
      }
    }
    return result.append('"').toString();
  }
}
