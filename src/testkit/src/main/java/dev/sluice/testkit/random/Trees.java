package dev.sluice.testkit.random;

import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonBoolean;
import dev.sluice.testkit.json.SpelledJson.JsonNull;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.random.RandomGenerator;

/** Trees of any shape. */
final class Trees {
  private Trees() {}

  /** Any value, with at most that many levels below it. */
  static SpelledJson any(RandomGenerator random, Strings strings, int levels) {
    return switch (random.nextInt(levels > 0 ? 6 : 4)) {
      case 0 -> new JsonNull();
      case 1 -> new JsonBoolean(random.nextBoolean());
      case 2 -> new JsonNumber(Long.toString(random.nextLong(-1000, 1000)));
      case 3 -> new JsonText(strings.text(0, 20));
      case 4 -> anyArray(random, strings, levels - 1);
      default -> anyObject(random, strings, levels - 1);
    };
  }

  private static JsonArray anyArray(RandomGenerator random, Strings strings, int levels) {
    var items = new ArrayList<SpelledJson>();
    for (int i = random.nextInt(4); i > 0; i--) {
      items.add(any(random, strings, levels));
    }
    return new JsonArray(items);
  }

  private static JsonObject anyObject(RandomGenerator random, Strings strings, int levels) {
    var members = new LinkedHashMap<String, SpelledJson>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.put(strings.mapKey(), any(random, strings, levels));
    }
    return new JsonObject(members);
  }

  static void shuffle(RandomGenerator random, List<?> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }
}
