package dev.sluice.quota.recording;

import dev.sluice.api.Quantity;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The form for each type that a component of a record may have. */
final class Forms {
  private static final Map<Class<?>, Form> SCALARS =
      Map.of(
          String.class,
          new Scalar("text", (out, it) -> out.text((String) it), ByteReader::text),
          int.class,
          integers(),
          Integer.class,
          integers(),
          long.class,
          longs(),
          Long.class,
          longs(),
          boolean.class,
          truths(),
          Boolean.class,
          truths(),
          Quantity.class,
          new Scalar("quantity", (out, it) -> write(out, (Quantity) it), Forms::quantity),
          Instant.class,
          new Scalar("time", (out, it) -> write(out, (Instant) it), Forms::instant));

  private Forms() {}

  static Form of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class
          ? new ListForm(of(arguments[0]))
          : new MapForm(of(arguments[1]));
    }
    if (!(type instanceof Class<?> plain)) {
      throw new IllegalArgumentException(type + " (expected: a type that has a form)");
    }
    Form scalar = SCALARS.get(plain);
    if (scalar != null) {
      return scalar;
    }
    if (plain.isEnum()) {
      return words(plain);
    }
    return RecordForm.of(plain);
  }

  private static Form integers() {
    return new Scalar("integer", (out, it) -> out.signed((Integer) it), in -> (int) in.signed());
  }

  private static Form longs() {
    return new Scalar("long", (out, it) -> out.signed((Long) it), ByteReader::signed);
  }

  private static Form truths() {
    return new Scalar("truth", (out, it) -> out.octet((Boolean) it ? 1 : 0), in -> in.octet() != 0);
  }

  private static Form words(Class<?> type) {
    Map<String, Object> words = new LinkedHashMap<>();
    for (Object word : type.getEnumConstants()) {
      words.put(((Enum<?>) word).name(), word);
    }
    return new Scalar(
        "word",
        (out, it) -> out.text(((Enum<?>) it).name()),
        in -> {
          String name = in.text();
          Object word = words.get(name);
          if (word == null) {
            throw new MalformedRecordingException(
                name + " is no " + type.getSimpleName() + " that this version knows");
          }
          return word;
        });
  }

  private static void write(ByteWriter out, Quantity quantity) {
    String text = quantity.toString(); // rounds in rare notations, then the number itself
    boolean exact = Quantity.parse(text).filter(quantity::equals).isPresent();
    out.text(exact ? text : quantity.value().toPlainString());
  }

  private static Object quantity(ByteReader in) {
    String text = in.text();
    return Quantity.parse(text)
        .orElseThrow(() -> new MalformedRecordingException(text + " is no quantity"));
  }

  private static void write(ByteWriter out, Instant time) {
    out.signed(time.getEpochSecond());
    out.number(time.getNano());
  }

  private static Object instant(ByteReader in) {
    return Instant.ofEpochSecond(in.signed(), in.number());
  }

  /** A value without parts. */
  private static final class Scalar extends Form {
    private final String name;
    private final BiConsumer<ByteWriter, Object> writer;
    private final Function<ByteReader, Object> reader;

    Scalar(String name, BiConsumer<ByteWriter, Object> writer, Function<ByteReader, Object> read) {
      this.name = name;
      this.writer = writer;
      this.reader = read;
    }

    @Override
    void write(ByteWriter out, Object value, @Nullable Object base) {
      writer.accept(out, value);
    }

    @Override
    Object read(ByteReader in, @Nullable Object base) {
      return reader.apply(in);
    }

    @Override
    void describe(StringBuilder text) {
      text.append(name);
    }
  }

  private static final class ListForm extends Form {
    private final Form items;

    ListForm(Form items) {
      this.items = items;
    }

    private static @Nullable Object at(@Nullable Object base, int index) {
      return base instanceof List<?> list && index < list.size() ? list.get(index) : null;
    }

    @Override
    void write(ByteWriter out, Object value, @Nullable Object base) {
      List<?> list = (List<?>) value;
      out.number(list.size());
      for (int i = 0; i < list.size(); i++) {
        items.writeSlot(out, list.get(i), at(base, i));
      }
    }

    @Override
    Object read(ByteReader in, @Nullable Object base) {
      int size = in.count();
      List<Object> list = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        list.add(items.readPresent(in, at(base, i)));
      }
      return list;
    }

    @Override
    void describe(StringBuilder text) {
      text.append("list of ");
      items.describe(text);
    }
  }

  private static final class MapForm extends Form {
    private final Form values;

    MapForm(Form values) {
      this.values = values;
    }

    private static @Nullable Object at(@Nullable Object base, String key) {
      return base instanceof Map<?, ?> map ? map.get(key) : null;
    }

    @Override
    void write(ByteWriter out, Object value, @Nullable Object base) {
      Map<?, ?> map = (Map<?, ?>) value;
      out.number(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        String key = (String) entry.getKey();
        out.text(key);
        values.writeSlot(out, entry.getValue(), at(base, key));
      }
    }

    @Override
    Object read(ByteReader in, @Nullable Object base) {
      int size = in.count();
      Map<String, Object> map = LinkedHashMap.newLinkedHashMap(size);
      for (int i = 0; i < size; i++) {
        String key = in.text();
        map.put(key, values.readPresent(in, at(base, key)));
      }
      return map;
    }

    @Override
    void describe(StringBuilder text) {
      text.append("map of ");
      values.describe(text);
    }
  }
}
