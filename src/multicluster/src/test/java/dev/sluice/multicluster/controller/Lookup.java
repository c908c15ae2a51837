package dev.sluice.multicluster.controller;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.TypedObjectKey;
import dev.sluice.lifecycle.store.ObjectLookup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Objects that a test names. */
final class Lookup implements ObjectLookup {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final Map<TypedObjectKey, JsonNode> objects = new HashMap<>();

  /** The JSON of a text with single quotes. */
  static JsonNode tree(String text) {
    try {
      return JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  void add(GroupKind kind, String text) {
    JsonNode object = tree(text);
    objects.put(TypedObjectKey.of(kind, object), object);
  }

  @Override
  public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
    return Optional.ofNullable(objects.get(new TypedObjectKey(kind, namespace, name)));
  }

  @Override
  public List<JsonNode> controlledBy(GroupKind kind, String uid) {
    return List.of();
  }
}
