package dev.sluice.conversion.laws;

import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What clients do to an object: change, null, delete and add members anywhere in its body. */
final class Edits {
  private static final List<String> KEYS =
      List.of(
          "parent",
          "parentName",
          "levels",
          "name",
          "weightedShare",
          "nodeLabel",
          "admissionFairSharingStatus",
          "zone");
  private static final List<String> VALUES =
      List.of("null", "1", "1.0", "\"a\"", "\"p\"", "[]", "{}", "[\"b\"]", "{\"nodeLabel\":\"b\"}");

  private Edits() {}

  /** The object with one to three members edited; kind, version and metadata stay. */
  static String edited(String json, RandomGenerator random) {
    JsonObject root = (JsonObject) value(json).opened();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      List<JsonObject> holders = new ArrayList<>();
      collect(root, true, holders);
      edit(holders.get(random.nextInt(holders.size())), random);
    }
    return written(root);
  }

  /** The object with the text of each of our annotations cut short. */
  static String garbled(String json, RandomGenerator random) {
    JsonObject root = (JsonObject) value(json).opened();
    JsonObject metadata = root.object("metadata");
    JsonObject annotations = metadata == null ? null : metadata.object("annotations");
    for (int i = 0; annotations != null && i < annotations.size(); i++) {
      String text = annotations.text(annotations.keyAt(i));
      if (text != null && annotations.keyAt(i).startsWith("conversion.kueue.x-k8s.io/")) {
        String cut = text.substring(0, random.nextInt(text.length() + 1));
        annotations.put(annotations.keyAt(i), JsonSlice.text(cut));
      }
    }
    return written(root);
  }

  /** The object with metadata, or annotations, of perhaps a wrong type. */
  static String withOddMetadata(String json, RandomGenerator random) {
    JsonObject root = (JsonObject) value(json).opened();
    JsonObject metadata = root.object("metadata");
    Json odd = value(VALUES.get(random.nextInt(VALUES.size())));
    if (metadata != null && random.nextBoolean()) {
      metadata.putSorted("annotations", odd);
    } else {
      root.putSorted("metadata", odd);
    }
    return written(root);
  }

  private static void edit(JsonObject holder, RandomGenerator random) {
    boolean existing = holder.size() > 0 && random.nextInt(3) > 0;
    String key =
        existing
            ? holder.keyAt(random.nextInt(holder.size()))
            : KEYS.get(random.nextInt(KEYS.size()));
    if (List.of("apiVersion", "kind", "metadata").contains(key)) {
      return;
    }
    if (random.nextInt(4) == 0) {
      holder.remove(key);
    } else {
      holder.putSorted(key, value(VALUES.get(random.nextInt(VALUES.size()))));
    }
  }

  private static void collect(JsonObject object, boolean isRoot, List<JsonObject> into) {
    into.add(object);
    for (int i = 0; i < object.size(); i++) {
      if (!isRoot || !object.keyAt(i).equals("metadata")) {
        collect(object.open(object.keyAt(i)), into);
      }
    }
  }

  private static void collect(@Nullable Json value, List<JsonObject> into) {
    switch (value) {
      case JsonObject object -> collect(object, false, into);
      case JsonArray list -> {
        for (int i = 0; i < list.size(); i++) {
          collect(list.open(i), into);
        }
      }
      case null, default -> {}
    }
  }
}
