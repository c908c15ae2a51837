package dev.sluice.conversion.step;

import static java.util.Objects.requireNonNull;

import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A difference that the law of conversion settles: a name, one parent object in the tree, a few
 * keys of that parent (those of both versions together), and two functions between their values.
 *
 * <p>The law, from version S to T, with {@code a} for the value that stands in the object: if a
 * value {@code k} was kept for this conversion when the object came from T, and {@code k} towards S
 * is {@code a}, then the result is {@code k}, since the value it stands for was not changed.
 * Otherwise the result is {@code b}, which is {@code a} towards T; and if {@code b} back towards S
 * is not {@code a}, then {@code a} is noted. So S to T to S is the identity on every input, and a
 * change made at T wins over a kept value.
 *
 * @param name the name of the entry in the annotation
 * @param parent the keys that lead from the root to the parent object
 * @param keys the keys of the parent that this conversion is about
 * @param up the value at the newer version for one at the older
 * @param down the value at the older version for one at the newer
 * @param derived whether the value is status that controllers rebuild, so that a kept one must not
 *     outlive the status it belongs to
 * @param sort what happens to the keys, in a few words
 */
public record FieldConversion(
    String name,
    List<String> parent,
    List<String> keys,
    Mapping up,
    Mapping down,
    boolean derived,
    String sort)
    implements Difference {
  private static final Mapping COPIED = value -> value;
  private static final Mapping LEFT_OUT = _ -> new JsonObject();
  private static final String ONLY_IN_OLDER = "only in the older";

  public FieldConversion {
    requireNonNull(name, "name");
    parent = List.copyOf(parent);
    keys = List.copyOf(keys);
    requireNonNull(up, "up");
    requireNonNull(down, "down");
    requireNonNull(sort, "sort");
  }

  /** A conversion that builds a new value. */
  public FieldConversion(
      String name,
      List<String> parent,
      List<String> keys,
      Mapping up,
      Mapping down,
      boolean derived) {
    this(name, parent, keys, up, down, derived, Description.REBUILT);
  }

  /** A key that the newer version names differently; its value moves, whatever it is. */
  public static FieldConversion renamed(
      String name, List<String> parent, String older, String newer) {
    return new FieldConversion(
        name,
        parent,
        List.of(older, newer),
        rename(older, newer),
        rename(newer, older),
        false,
        "renamed");
  }

  /** A key that only the older version has. */
  public static FieldConversion onlyInOlder(String name, List<String> parent) {
    return new FieldConversion(name, parent, List.of(name), LEFT_OUT, COPIED, false, ONLY_IN_OLDER);
  }

  /** A key that only the newer version has; its entry may have another name than the key. */
  public static FieldConversion onlyInNewer(String name, List<String> parent, String key) {
    return new FieldConversion(
        name, parent, List.of(key), COPIED, LEFT_OUT, false, "only in the newer");
  }

  /** A key of the status that only the older version has. */
  public static FieldConversion derivedOnlyInOlder(String name, List<String> parent) {
    return new FieldConversion(name, parent, List.of(name), LEFT_OUT, COPIED, true, ONLY_IN_OLDER);
  }

  /** A word that the newer version spells differently; every other value is copied. */
  public static FieldConversion word(String key, List<String> parent, String older, String newer) {
    return new FieldConversion(
        key,
        parent,
        List.of(key),
        value -> respell(value, key, older, newer),
        COPIED,
        false,
        older + " becomes " + newer);
  }

  @Override
  public void convert(JsonObject root, Direction direction, ConversionContext context) {
    FieldMapping mapping = new FieldMapping(keys, up, down, Shorthand.NONE);
    Json entry = context.kept(name, derived);
    JsonObject kept = entry == null ? null : mapping.read(entry, direction);
    if (entry != null && kept == null) {
      context.ignored(name);
    }
    JsonObject holder = find(root);
    JsonObject toNote =
        holder == null ? null : mapping.settle(holder, kept, direction, context.work());
    if (toNote != null) {
      context.note(name, toNote, derived);
    }
  }

  @Override
  public Optional<Description> description() {
    return Optional.of(new Description(name, String.join(".", parent), keys, sort, derived));
  }

  private @Nullable JsonObject find(JsonObject root) {
    JsonObject at = root;
    for (String key : parent) {
      at = at.object(key);
      if (at == null) {
        return null;
      }
    }
    return at;
  }

  private static JsonObject respell(JsonObject value, String key, String older, String newer) {
    if (!older.equals(value.text(key))) {
      return value;
    }
    JsonObject respelled = new JsonObject();
    respelled.put(key, JsonSlice.text(newer));
    return respelled;
  }

  private static Mapping rename(String from, String to) {
    return value -> {
      Json own = value.get(from);
      if (own == null) {
        return value; // empty, or a key of the target's that strayed in: it stays
      }
      JsonObject renamed = new JsonObject();
      renamed.put(to, own);
      return renamed;
    };
  }
}
