package dev.sluice.api.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.Property;
import dev.sluice.api.meta.Spelled;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes records as the JSON they could have been read from. */
final class RecordWriter {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private RecordWriter() {}

  static ObjectNode write(Record object) {
    ObjectNode node = JSON.objectNode();
    for (RecordComponent component : object.getClass().getRecordComponents()) {
      Object value = value(object, component);
      if (value != null && !isLeftOut(value, component)) {
        Property property = component.getAnnotation(Property.class);
        node.set(property == null ? component.getName() : property.value(), node(value));
      }
    }
    return node;
  }

  private static @Nullable Object value(Record object, RecordComponent component) {
    try {
      return component.getAccessor().invoke(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read", e);
    }
  }

  private static boolean isLeftOut(Object value, RecordComponent component) {
    Default initial = component.getAnnotation(Default.class);
    return value.equals(List.of())
        || value.equals(Map.of())
        || (value.equals("") && initial != null && initial.value().isEmpty());
  }

  private static JsonNode node(Object value) {
    return switch (value) {
      case JsonNode node -> node;
      case Record object -> write(object);
      case List<?> list -> list(list);
      case Map<?, ?> map -> map(map);
      case Spelled word -> JSON.textNode(word.text());
      case Boolean truth -> JSON.booleanNode(truth);
      case Integer number -> JSON.numberNode(number);
      case Long number -> JSON.numberNode(number);
      case String _, Quantity _, Instant _ -> JSON.textNode(value.toString());
      default ->
          throw new IllegalArgumentException(
              value.getClass() + " (expected: a type that JSON has a form for)");
    };
  }

  private static ArrayNode list(List<?> list) {
    ArrayNode node = JSON.arrayNode(list.size());
    list.forEach(item -> node.add(node(item)));
    return node;
  }

  private static ObjectNode map(Map<?, ?> map) {
    ObjectNode node = JSON.objectNode();
    map.forEach((key, value) -> node.set(key.toString(), node(value)));
    return node;
  }
}
