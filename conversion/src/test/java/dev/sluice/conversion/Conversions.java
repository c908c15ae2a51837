package dev.sluice.conversion;

import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.step.Mode;
import java.util.ArrayList;
import java.util.List;

/** Converts texts; single quotes are welcome in what goes in. */
public final class Conversions {
  private Conversions() {}

  /** The two ends of a conversion. */
  public record Way(ApiKind kind, ApiVersion from, ApiVersion to) {
    @Override
    public String toString() {
      return kind + " " + from + "->" + to;
    }
  }

  /** All ordered pairs of versions of a kind. */
  public static List<Way> waysOf(ApiKind kind) {
    List<Way> ways = new ArrayList<>();
    for (ApiVersion from : kind.versions()) {
      for (ApiVersion to : kind.versions()) {
        if (from != to) {
          ways.add(new Way(kind, from, to));
        }
      }
    }
    return ways;
  }

  /** An object with these members besides its kind and version. */
  public static String object(ApiKind kind, ApiVersion version, String members) {
    return json(
        "{'apiVersion':'%s','kind':'%s'%s}"
            .formatted(version.groupVersion(), kind, members.isEmpty() ? "" : "," + members));
  }

  /** What becomes of an object. */
  public static Outcome outcome(Mode mode, String object, ApiVersion to) {
    return new Converter(mode).convert(value(json(object)), to);
  }

  /** The object at the other version; it must not be refused. */
  public static Outcome.Converted converted(Mode mode, String object, ApiVersion to) {
    return switch (outcome(mode, object, to)) {
      case Outcome.Converted converted -> converted;
      case Outcome.Refused refused -> throw new AssertionError(refused.message());
    };
  }

  /** The text of the object at the other version, odd content carried. */
  public static String carried(String object, ApiVersion to) {
    return written(converted(Mode.CARRY, object, to).object());
  }

  /** Why the object is refused; it must be. */
  public static String refusal(Mode mode, String object, ApiVersion to) {
    return switch (outcome(mode, object, to)) {
      case Outcome.Refused refused -> refused.message();
      case Outcome.Converted converted ->
          throw new AssertionError("converted: " + written(converted.object()));
    };
  }
}
