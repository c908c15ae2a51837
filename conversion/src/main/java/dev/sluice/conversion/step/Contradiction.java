package dev.sluice.conversion.step;

import dev.sluice.json.Canonical;
import dev.sluice.json.Excerpt;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;

/**
 * Refuses, where refusing is asked for, an object that says one thing twice and differently: the
 * older version's key and the newer one's beside each other. Converts nothing; it stands before the
 * conversion that does.
 *
 * @param parent the key of the object at the root that holds both
 * @param older the key of the older version
 * @param newer the key of the newer version
 */
public record Contradiction(String parent, String older, String newer) implements Difference {
  private static final int SHOWN = 80;

  @Override
  public void convert(JsonObject root, Direction direction, ConversionContext context) {
    JsonObject holder = context.mode() == Mode.FAIL ? root.object(parent) : null;
    Json one = holder == null ? null : holder.get(older);
    Json other = holder == null ? null : holder.get(newer);
    if (one != null && other != null && !Canonical.equal(one, other)) {
      context.refuse(
          parent + "." + (direction == Direction.UP ? older : newer),
          "%s is %s but %s is %s (expected: only one of them)"
              .formatted(older, brief(one), newer, brief(other)));
    }
  }

  private static String brief(Json value) {
    return Excerpt.of(Canonical.text(value), SHOWN);
  }
}
