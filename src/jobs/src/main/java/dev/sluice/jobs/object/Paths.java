package dev.sluice.jobs.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.Field;
import java.util.List;
import java.util.stream.Stream;

/** Paths into objects, and plain reads of their values. */
public final class Paths {
  private static final String INDEX = "0|[1-9][0-9]{0,8}";

  private Paths() {}

  /** The field at the end of the path; a part that is a number names an item of a list. */
  public static Field at(Field start, List<String> path) {
    Field field = start;
    for (String part : path) {
      field = field.node().isArray() ? item(field, part) : field.child(part);
    }
    return field;
  }

  private static Field item(Field list, String index) {
    String path = list.path() + "[" + index + "]";
    JsonNode node =
        index.matches(INDEX) ? list.node().path(Integer.parseInt(index)) : list.node().path(index);
    return new Field(path, node);
  }

  /** A longer path. */
  public static String[] join(String[] start, String... rest) {
    return Stream.concat(Stream.of(start), Stream.of(rest)).toArray(String[]::new);
  }

  /** Whether the value is the boolean true. */
  public static boolean isTrue(Field field) {
    return field.node().isBoolean() && field.node().booleanValue();
  }

  /** The integer here, brought into 32 bits; {@code otherwise} if there is none. */
  public static long count(Field field, long otherwise) {
    JsonNode node = field.node();
    if (!node.isIntegralNumber()) {
      return otherwise;
    }
    return node.canConvertToLong()
        ? Math.clamp(node.longValue(), Integer.MIN_VALUE, Integer.MAX_VALUE)
        : Integer.MAX_VALUE;
  }
}
