package dev.sluice.api.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.Property;
import dev.sluice.api.meta.Spelled;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes records as the JSON they could have been read from. */
final class RecordWriter {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /**
   * Reflection returns a new accessor for each call, which is compiled on its first use; so they
   * are kept.
   */
  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return Stream.of(type.getRecordComponents()).map(Field::of).toList();
        }
      };

  private RecordWriter() {}

  static ObjectNode write(Record object) {
    ObjectNode node = JSON.objectNode();
    for (Field field : FIELDS.get(object.getClass())) {
      Object value = field.of(object);
      if (value != null && !field.isLeftOut(value)) {
        node.set(field.name(), node(value));
      }
    }
    return node;
  }

  /**
   * One component.
   *
   * @param emptyByDefault whether an empty text is what it has when it is left out
   */
  private record Field(String name, Method accessor, boolean emptyByDefault) {
    static Field of(RecordComponent component) {
      Property property = component.getAnnotation(Property.class);
      Default initial = component.getAnnotation(Default.class);
      return new Field(
          property == null ? component.getName() : property.value(),
          component.getAccessor(),
          initial != null && initial.value().isEmpty());
    }

    @Nullable Object of(Record object) {
      try {
        return accessor.invoke(object);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(name + " cannot be read", e);
      }
    }

    boolean isLeftOut(Object value) {
      return value.equals(List.of())
          || value.equals(Map.of())
          || (emptyByDefault && value.equals(""));
    }
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
