package dev.sluice.api.meta;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The order of resourceVersions: the API server counts all writes together. */
public final class ResourceVersion {
  private ResourceVersion() {}

  /** The number of that write; empty where the text is none, as before the first write. */
  public static OptionalLong number(@Nullable String text) {
    try {
      return OptionalLong.of(Long.parseLong(String.valueOf(text)));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }
}
