package dev.sluice.api.read;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Fallback;
import dev.sluice.api.meta.Spelled;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader for each type that a component may have. */
final class Readers {
  private static final int LONGEST_SHOWN = 80;

  private static final Map<Class<?>, ValueReader> SCALARS =
      Map.of(
          String.class, Readers::text,
          int.class, Readers::integer,
          Integer.class, Readers::integer,
          long.class, Readers::longInteger,
          Long.class, Readers::longInteger,
          boolean.class, Readers::truth,
          Boolean.class, Readers::truth,
          Quantity.class, Readers::quantity,
          Instant.class, Readers::instant);

  private Readers() {}

  static ValueReader of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class ? listOf(arguments[0]) : mapOf(arguments[1]);
    }
    if (type == JsonNode.class) {
      return node -> node;
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException(type + " (expected: a type that JSON has a form for)");
    }
    ValueReader scalar = SCALARS.get(plain);
    if (scalar != null) {
      return scalar;
    }
    return plain.isEnum() ? wordOf(plain) : node -> RecordReader.of(plain).read(node);
  }

  private static ValueReader listOf(Type type) {
    ValueReader items = of(type);
    return node -> {
      if (!node.isArray()) {
        throw unexpected(node, "a list");
      }
      List<Object> list = new ArrayList<>(node.size());
      for (int i = 0; i < node.size(); i++) {
        try {
          list.add(readPresent(items, node.get(i)));
        } catch (MalformedFieldException e) {
          throw e.at(i);
        }
      }
      return list;
    };
  }

  private static ValueReader mapOf(Type type) {
    ValueReader values = of(type);
    return node -> {
      if (!node.isObject()) {
        throw unexpected(node, "an object");
      }
      Map<String, Object> map = LinkedHashMap.newLinkedHashMap(node.size());
      for (Map.Entry<String, JsonNode> entry : node.properties()) {
        try {
          map.put(entry.getKey(), readPresent(values, entry.getValue()));
        } catch (MalformedFieldException e) {
          throw e.at(entry.getKey());
        }
      }
      return map;
    };
  }

  private static Object readPresent(ValueReader reader, JsonNode node) {
    if (node.isNull()) {
      throw new MalformedFieldException("null (expected: a value)");
    }
    return reader.read(node);
  }

  private static ValueReader wordOf(Class<?> type) {
    Map<String, Object> words =
        Stream.of(type.getEnumConstants())
            .collect(Collectors.toMap(word -> ((Spelled) word).text(), word -> word));
    String expected =
        Stream.of(type.getEnumConstants())
            .map(word -> ((Spelled) word).text())
            .collect(Collectors.joining(" or "));
    Object fallback = fallback(type);
    return node -> {
      Object word = node.isTextual() ? words.getOrDefault(node.textValue(), fallback) : null;
      if (word == null) {
        throw unexpected(node, expected);
      }
      return word;
    };
  }

  private static @Nullable Object fallback(Class<?> type) {
    for (Object constant : type.getEnumConstants()) {
      try {
        if (type.getField(((Enum<?>) constant).name()).isAnnotationPresent(Fallback.class)) {
          return constant;
        }
      } catch (NoSuchFieldException e) {
        throw new IllegalStateException("every constant has a field", e);
      }
    }
    return null;
  }

  private static Object text(JsonNode node) {
    if (!node.isTextual()) {
      throw unexpected(node, "a text");
    }
    return node.textValue();
  }

  private static Object integer(JsonNode node) {
    if (!node.isIntegralNumber() || !node.canConvertToInt()) {
      throw unexpected(node, "an integer of 32 bits");
    }
    return node.intValue();
  }

  private static Object longInteger(JsonNode node) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw unexpected(node, "an integer of 64 bits");
    }
    return node.longValue();
  }

  private static Object truth(JsonNode node) {
    if (!node.isBoolean()) {
      throw unexpected(node, "true or false");
    }
    return node.booleanValue();
  }

  private static Object quantity(JsonNode node) {
    if (!node.isTextual() && !node.isNumber()) {
      throw unexpected(node, "a quantity");
    }
    return Quantity.parse(node.asText()).orElseThrow(() -> unexpected(node, "a quantity"));
  }

  private static Object instant(JsonNode node) {
    try {
      return Timestamps.parse(node.asText());
    } catch (DateTimeException _) {
      throw unexpected(node, "a time like 2026-01-31T12:00:00Z");
    }
  }

  static MalformedFieldException unexpected(JsonNode node, String expected) {
    String text = node.toString();
    String shown = text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
    return new MalformedFieldException(shown + " (expected: " + expected + ")");
  }
}
