package dev.sluice.conversion.step;

import dev.sluice.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A short way to note a value of the newer version, for values that can be made again from the
 * older version's with a few words on their form.
 */
public interface Shorthand {
  /** No value has one. */
  Shorthand NONE =
      new Shorthand() {
        @Override
        public @Nullable JsonObject shorten(JsonObject newer, JsonObject older, Work work) {
          return null;
        }

        @Override
        public @Nullable JsonObject expand(JsonObject noted, JsonObject older, Work work) {
          return null;
        }

        @Override
        public boolean is(JsonObject noted) {
          return false;
        }
      };

  /** What to note instead of the newer value, or null if nothing shorter brings it back. */
  @Nullable JsonObject shorten(JsonObject newer, JsonObject older, Work work);

  /** The newer value, made of what was noted and the older value; null if they do not fit. */
  @Nullable JsonObject expand(JsonObject noted, JsonObject older, Work work);

  /** Whether this is a shorthand, and not a value. */
  boolean is(JsonObject noted);
}
