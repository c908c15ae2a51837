package dev.sluice.testkit.random;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.random.RandomGenerator;

/** Numbers between the limits of a schema, the limits themselves more often than chance would. */
final class Numbers {
  private Numbers() {}

  static long integer(RandomGenerator random, JsonNode schema) {
    boolean wide = schema.path("format").asText().equals("int64");
    long least =
        schema.path("minimum").asLong(wide ? Long.MIN_VALUE : Integer.MIN_VALUE)
            + (schema.path("exclusiveMinimum").asBoolean() ? 1 : 0);
    long greatest =
        schema.path("maximum").asLong(wide ? Long.MAX_VALUE : Integer.MAX_VALUE)
            - (schema.path("exclusiveMaximum").asBoolean() ? 1 : 0);
    long step = schema.path("multipleOf").asLong(1);
    long value = between(random, least, greatest);
    long multiple = Math.floorDiv(value, step) * step;
    return multiple < least ? multiple + step : multiple;
  }

  private static long between(RandomGenerator random, long least, long greatest) {
    long usual =
        switch (random.nextInt(8)) {
          case 0 -> least;
          case 1 -> greatest;
          case 2 -> 0;
          case 3 -> 1;
          case 4 -> least == greatest ? least : random.nextLong(least, greatest);
          default -> random.nextLong(0, 100);
        };
    return Math.clamp(usual, least, greatest);
  }

  static String decimal(RandomGenerator random, JsonNode schema) {
    double least = schema.path("minimum").asDouble(-1000);
    double greatest = schema.path("maximum").asDouble(Math.max(1000, least + 1));
    double value = least + (greatest - least) * (1 + random.nextInt(15)) / 16;
    return Double.toString(value);
  }
}
