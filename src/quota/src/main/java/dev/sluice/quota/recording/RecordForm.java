package dev.sluice.quota.recording;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a record as its components, each beside that of the record before it. */
final class RecordForm extends Form {
  private static final ClassValue<RecordForm> FORMS =
      new ClassValue<>() {
        @Override
        protected RecordForm computeValue(Class<?> type) {
          return new RecordForm(type);
        }
      };

  private record Part(String name, MethodHandle accessor, Form form) {
    static Part of(RecordComponent component) {
      try {
        MethodHandle accessor =
            MethodHandles.publicLookup()
                .unreflect(component.getAccessor())
                .asType(MethodType.methodType(Object.class, Object.class));
        return new Part(component.getName(), accessor, Forms.of(component.getGenericType()));
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(component + " is not public", e);
      }
    }

    @SuppressWarnings("ThrowSpecificExceptions") // what a method handle declares is Throwable
    @Nullable Object of(@Nullable Object object) {
      if (object == null) {
        return null;
      }
      try {
        return (Object) accessor.invokeExact(object);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable e) {
        throw new IllegalStateException(name + " cannot be read", e);
      }
    }
  }

  private final String name;
  private final List<Part> parts;
  private final MethodHandle constructor;

  private RecordForm(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw new IllegalArgumentException(type + " (expected: a record)");
    }
    this.name = type.getSimpleName();
    this.parts = Stream.of(components).map(Part::of).toList();
    this.constructor = constructor(type, components);
  }

  static RecordForm of(Class<?> type) {
    return FORMS.get(type);
  }

  private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return MethodHandles.publicLookup()
          .unreflectConstructor(type.getConstructor(types))
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " has no public canonical constructor", e);
    }
  }

  @Override
  void write(ByteWriter out, Object value, @Nullable Object base) {
    for (Part part : parts) {
      part.form().writeSlot(out, part.of(value), part.of(base));
    }
  }

  @Override
  @SuppressWarnings("ThrowSpecificExceptions") // what a method handle declares is Throwable
  Object read(ByteReader in, @Nullable Object base) {
    @Nullable Object[] values = new @Nullable Object[parts.size()];
    for (int i = 0; i < values.length; i++) {
      Part part = parts.get(i);
      values[i] = part.form().readSlot(in, part.of(base));
    }
    try {
      return (Object) constructor.invokeExact(values);
    } catch (RuntimeException e) {
      throw new MalformedRecordingException("no " + name + ": " + e.getMessage(), e);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a constructor of a record threw a checked exception", e);
    }
  }

  @Override
  void describe(StringBuilder text) {
    if (text.indexOf("record " + name + "(") >= 0) {
      text.append(name);
      return;
    }
    text.append("record ").append(name).append('(');
    for (Part part : parts) {
      text.append(part.name()).append(' ');
      part.form().describe(text);
      text.append(',');
    }
    text.append(')');
  }
}
