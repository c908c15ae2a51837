package dev.sluice.quota.recording;

import dev.sluice.api.read.RecordConstructor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.List;
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
  private final RecordConstructor constructor;

  private RecordForm(Class<?> type) {
    this.name = type.getSimpleName();
    this.constructor = RecordConstructor.of(type);
    this.parts = constructor.components().stream().map(Part::of).toList();
  }

  static RecordForm of(Class<?> type) {
    return FORMS.get(type);
  }

  @Override
  void write(ByteWriter out, Object value, @Nullable Object base) {
    for (Part part : parts) {
      part.form().writeSlot(out, part.of(value), part.of(base));
    }
  }

  @Override
  Object read(ByteReader in, @Nullable Object base) {
    @Nullable Object[] values = new @Nullable Object[parts.size()];
    for (int i = 0; i < values.length; i++) {
      Part part = parts.get(i);
      values[i] = part.form().readSlot(in, part.of(base));
    }
    try {
      return constructor.make(values);
    } catch (RuntimeException e) {
      throw new MalformedRecordingException("no " + name + ": " + e.getMessage(), e);
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
