package dev.sluice.api.read;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.meta.Default;
import dev.sluice.api.meta.Property;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object as one type of record. What to do is worked out once per type, so that reading
 * many objects costs a look-up by name and a constructor call each.
 */
final class RecordReader implements ValueReader {
  private static final ClassValue<RecordReader> READERS =
      new ClassValue<>() {
        @Override
        protected RecordReader computeValue(Class<?> type) {
          return new RecordReader(type);
        }
      };

  private final List<Field> fields;
  private final RecordConstructor constructor;

  private RecordReader(Class<?> type) {
    this.constructor = RecordConstructor.of(type);
    this.fields = constructor.components().stream().map(Field::of).toList();
  }

  static RecordReader of(Class<?> type) {
    return READERS.get(type);
  }

  @Override
  public Object read(JsonNode node) {
    if (!node.isObject()) {
      throw Readers.unexpected(node, "an object");
    }
    @Nullable Object[] values = new @Nullable Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = fields.get(i).readFrom(node);
    }
    return constructor.make(values);
  }

  /** One component: where its value stands and what it has without one. */
  private record Field(String name, ValueReader reader, Absent absent, @Nullable JsonNode initial) {
    private enum Absent {
      INITIAL,
      EMPTY_LIST,
      EMPTY_MAP,
      NULL,
      MISSING
    }

    static Field of(RecordComponent component) {
      Property property = component.getAnnotation(Property.class);
      Default initial = component.getAnnotation(Default.class);
      return new Field(
          property == null ? component.getName() : property.value(),
          Readers.of(component.getGenericType()),
          absent(component),
          initial == null ? null : parse(initial.value(), component.getType()));
    }

    private static Absent absent(RecordComponent component) {
      if (component.isAnnotationPresent(Default.class)) {
        return Absent.INITIAL;
      }
      if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        return Absent.NULL;
      }
      if (component.getType() == List.class) {
        return Absent.EMPTY_LIST;
      }
      return component.getType() == Map.class ? Absent.EMPTY_MAP : Absent.MISSING;
    }

    private static JsonNode parse(String text, Class<?> type) {
      JsonNodeFactory json = JsonNodeFactory.instance;
      if (type == boolean.class) {
        return json.booleanNode(Boolean.parseBoolean(text));
      }
      if (type == int.class) {
        return json.numberNode(Integer.parseInt(text));
      }
      if (type == long.class) {
        return json.numberNode(Long.parseLong(text));
      }
      return text.equals("{}") ? json.objectNode() : json.textNode(text);
    }

    @Nullable Object readFrom(JsonNode object) {
      JsonNode node = object.get(name);
      try {
        return node == null || node.isNull() ? readAbsent() : reader.read(node);
      } catch (MalformedFieldException e) {
        throw e.in(name);
      }
    }

    private @Nullable Object readAbsent() {
      return switch (absent) {
        case INITIAL -> reader.read(requireNonNull(initial));
        case EMPTY_LIST -> List.of();
        case EMPTY_MAP -> Map.of();
        case NULL -> null;
        case MISSING -> throw new MalformedFieldException("is missing");
      };
    }
  }
}
