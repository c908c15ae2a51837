package dev.sluice.testkit.random;

import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonBoolean;
import dev.sluice.testkit.json.SpelledJson.JsonNull;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Wild edits that no schema allows but that JSON does: members gone, nulls, other types, unknown
 * and strange keys, empty values, numbers beyond 64 bits or oddly spelled.
 *
 * <p>The result is always an object that can be written as JSON; it may equal the original when an
 * edit changed nothing.
 */
public final class Mutations {
  private static final int MOST_EDITS = 4;
  private static final List<String> KEYS =
      List.of(
          "",
          " ",
          "unknown",
          "a.b/c",
          "ключ",
          "🚢",
          "𝔘𝔫𝔦",
          "e\u0301",
          "quo\"te",
          "back\\slash",
          "line\nend",
          "\u0000",
          "\u2028",
          "~0~1",
          "$ref",
          "__proto__",
          "Spec",
          "METADATA");
  private static final List<String> NUMBERS =
      List.of(
          "1.0",
          "1e3",
          "-0",
          "1E+2",
          "0.10",
          "-0.0",
          "1e400",
          "5e-324",
          "9007199254740993",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775809",
          "18446744073709551616",
          "123456789012345678901234567890",
          "0.1000000000000000055511151",
          "1.50",
          "0e0",
          "2E-1");

  private final RandomGenerator random;
  private final Strings strings;
  private final Set<String> kept;
  private int toEdit;

  private Mutations(RandomGenerator random, Set<String> kept) {
    this.random = random;
    this.strings = new Strings(random);
    this.kept = kept;
  }

  /** One to four edits anywhere in the object. */
  public static JsonObject mutate(RandomGenerator random, JsonObject original) {
    return mutateKeeping(random, original, Set.of());
  }

  /** One to four edits anywhere but in these members of the root, which stay as they are. */
  public static JsonObject mutateKeeping(
      RandomGenerator random, JsonObject original, Set<String> kept) {
    var mutations = new Mutations(random, Set.copyOf(kept));
    JsonObject result = original;
    for (int edits = 1 + random.nextInt(MOST_EDITS); edits > 0; edits--) {
      result = mutations.editOnce(result);
    }
    return result;
  }

  private JsonObject editOnce(JsonObject root) {
    int places = 1;
    for (var member : root.members().entrySet()) {
      places += kept.contains(member.getKey()) ? 0 : count(member.getValue());
    }
    toEdit = random.nextInt(places);
    return toEdit-- == 0 ? withStrangeMember(root) : editMembers(root, kept);
  }

  private static int count(SpelledJson value) {
    return 1
        + switch (value) {
          case JsonObject(var members) ->
              members.values().stream().mapToInt(Mutations::count).sum();
          case JsonArray(var items) -> items.stream().mapToInt(Mutations::count).sum();
          default -> 0;
        };
  }

  /** Walks in the order of {@link #count} and edits the value whose turn it is; empty: gone. */
  private Optional<SpelledJson> visit(SpelledJson value) {
    if (toEdit-- == 0) {
      return edited(value);
    }
    return Optional.of(
        switch (value) {
          case JsonObject object -> editMembers(object, Set.of());
          case JsonArray(var items) ->
              new JsonArray(items.stream().map(this::visit).flatMap(Optional::stream).toList());
          default -> value;
        });
  }

  private JsonObject editMembers(JsonObject object, Set<String> untouched) {
    var members = new LinkedHashMap<String, SpelledJson>();
    object
        .members()
        .forEach(
            (name, value) -> {
              if (untouched.contains(name)) {
                members.put(name, value);
              } else {
                visit(value).ifPresent(changed -> members.put(name, changed));
              }
            });
    return new JsonObject(members);
  }

  private Optional<SpelledJson> edited(SpelledJson value) {
    return switch (random.nextInt(9)) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(new JsonNull());
      case 2 -> Optional.of(otherType(value));
      case 3 -> Optional.of(emptied());
      case 4 -> Optional.of(number());
      case 5 -> Optional.of(new JsonText(strings.text(0, 30)));
      case 6 -> Optional.of(Trees.any(random, strings, 3));
      default -> Optional.of(grown(value));
    };
  }

  private JsonNumber number() {
    return new JsonNumber(NUMBERS.get(random.nextInt(NUMBERS.size())));
  }

  private SpelledJson emptied() {
    return switch (random.nextInt(3)) {
      case 0 -> new JsonObject(Map.of());
      case 1 -> new JsonArray(List.of());
      default -> new JsonText("");
    };
  }

  private SpelledJson otherType(SpelledJson value) {
    return switch (value) {
      case JsonNull() -> new JsonBoolean(random.nextBoolean());
      case JsonBoolean(boolean flag) -> new JsonText(Boolean.toString(flag));
      case JsonNumber(String spelling) -> new JsonText(spelling);
      case JsonText _ -> number();
      case JsonArray(var items) -> items.isEmpty() ? new JsonNull() : items.getFirst();
      case JsonObject object -> new JsonArray(List.of(object));
    };
  }

  /** More than there was: a strange member, an item of any kind, or the value in a list. */
  private SpelledJson grown(SpelledJson value) {
    return switch (value) {
      case JsonObject object -> withStrangeMember(object);
      case JsonArray(var items) -> {
        var more = new ArrayList<>(items);
        more.add(random.nextInt(more.size() + 1), Trees.any(random, strings, 2));
        yield new JsonArray(more);
      }
      default -> new JsonArray(List.of(value));
    };
  }

  /** With one more member, at any place in the order. */
  private JsonObject withStrangeMember(JsonObject object) {
    String key = KEYS.get(random.nextInt(KEYS.size()));
    SpelledJson value = random.nextBoolean() ? number() : Trees.any(random, strings, 3);
    int place = random.nextInt(object.members().size() + 1);
    var members = new LinkedHashMap<String, SpelledJson>();
    for (var member : object.members().entrySet()) {
      if (place-- == 0) {
        members.putIfAbsent(key, value);
      }
      members.put(member.getKey(), member.getValue());
    }
    members.putIfAbsent(key, value);
    return new JsonObject(members);
  }
}
