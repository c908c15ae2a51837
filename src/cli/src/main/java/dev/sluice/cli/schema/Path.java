package dev.sluice.cli.schema;

/** Paths of fields, as an API server writes them. */
final class Path {
  private Path() {}

  /** A member, also of a map whose keys users choose. */
  static String member(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  static String item(String path, int index) {
    return path + "[" + index + "]";
  }

  /** An entry of a map, as rules and duplicates are reported. */
  static String entry(String path, String key) {
    return path + "[" + key + "]";
  }
}
