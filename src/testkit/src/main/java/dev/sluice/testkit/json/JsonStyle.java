package dev.sluice.testkit.json;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How a tree is written where JSON leaves the choice: white space and string escapes. */
public final class JsonStyle {
  private static final JsonStyle COMPACT = new JsonStyle(null);

  /** Makes the choices; null for the shortest text. */
  final @Nullable RandomGenerator random;

  private JsonStyle(@Nullable RandomGenerator random) {
    this.random = random;
  }

  /** No white space, and only the escapes that JSON demands. */
  public static JsonStyle compact() {
    return COMPACT;
  }

  /** Random white space between tokens, and characters randomly spelled as escapes. */
  public static JsonStyle scrambled(RandomGenerator random) {
    return new JsonStyle(random);
  }
}
