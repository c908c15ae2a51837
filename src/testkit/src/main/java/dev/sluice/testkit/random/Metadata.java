package dev.sluice.testkit.random;

import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonArray;
import dev.sluice.testkit.json.SpelledJson.JsonNumber;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.json.SpelledJson.JsonText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Object metadata that an API server takes on creation: no resourceVersion, which it refuses then.
 */
final class Metadata {
  private final RandomGenerator random;
  private final Strings strings;

  Metadata(RandomGenerator random, Strings strings) {
    this.random = random;
    this.strings = strings;
  }

  JsonObject draw(String apiVersion) {
    var members = new LinkedHashMap<String, SpelledJson>();
    members.put("name", new JsonText(strings.subdomain(1, 63)));
    sometimes(members, "labels", () -> map(() -> new JsonText(strings.labelValue())));
    sometimes(members, "annotations", () -> map(() -> new JsonText(strings.text(0, 60))));
    sometimes(members, "finalizers", this::finalizers);
    sometimes(members, "creationTimestamp", () -> new JsonText(strings.instant()));
    sometimes(members, "generation", () -> new JsonNumber("" + random.nextInt(1, 100)));
    sometimes(members, "uid", () -> new JsonText(uid()));
    sometimes(members, "managedFields", () -> managedFields(apiVersion));
    return new JsonObject(members);
  }

  private void sometimes(
      Map<String, SpelledJson> members, String name, Supplier<SpelledJson> value) {
    if (random.nextInt(5) < 2) {
      members.put(name, value.get());
    }
  }

  private JsonObject map(Supplier<SpelledJson> value) {
    var members = new LinkedHashMap<String, SpelledJson>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.put(strings.labelKey(1, 60), value.get());
    }
    return new JsonObject(members);
  }

  private JsonArray finalizers() {
    var items = new ArrayList<SpelledJson>();
    for (int i = random.nextInt(3); i > 0; i--) {
      items.add(new JsonText("example.com/" + strings.label(1, 20)));
    }
    return new JsonArray(items);
  }

  private String uid() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  private JsonArray managedFields(String apiVersion) {
    var entry = new LinkedHashMap<String, SpelledJson>();
    entry.put("apiVersion", new JsonText(apiVersion));
    entry.put("fieldsType", new JsonText("FieldsV1"));
    entry.put(
        "fieldsV1", SpelledJson.parse("{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:team\":{}}}}"));
    entry.put("manager", new JsonText(strings.label(1, 20)));
    entry.put("operation", new JsonText(random.nextBoolean() ? "Apply" : "Update"));
    entry.put("time", new JsonText(strings.instant()));
    return new JsonArray(List.of(new JsonObject(entry)));
  }
}
