package dev.sluice.server.see;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A parameter of a query.
 *
 * @param type as OpenAPI names it
 */
record ApiParameter(String name, String type) {
  /** Whole numbers. */
  static List<ApiParameter> numbers(String... names) {
    return Stream.of(names).map(it -> new ApiParameter(it, "integer")).toList();
  }

  /** Texts. */
  static List<ApiParameter> texts(String... names) {
    return Stream.of(names).map(it -> new ApiParameter(it, "string")).toList();
  }

  /** All of those. */
  @SafeVarargs
  static List<ApiParameter> all(List<ApiParameter>... parts) {
    List<ApiParameter> all = new ArrayList<>();
    for (List<ApiParameter> part : parts) {
      all.addAll(part);
    }
    return List.copyOf(all);
  }
}
