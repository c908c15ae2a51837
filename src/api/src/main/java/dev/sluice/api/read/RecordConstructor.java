package dev.sluice.api.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The canonical constructor of a record that is known at run time only. Safe for many threads. */
public final class RecordConstructor {
  private final List<RecordComponent> components;
  private final MethodHandle handle;

  private RecordConstructor(List<RecordComponent> components, MethodHandle handle) {
    this.components = components;
    this.handle = handle;
  }

  /**
   * That of this type.
   *
   * @throws IllegalArgumentException if it is no record
   * @throws IllegalStateException if the record or its constructor is not public
   */
  public static RecordConstructor of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw new IllegalArgumentException(type + " (expected: a record)");
    }
    Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return new RecordConstructor(
          List.of(components),
          MethodHandles.publicLookup()
              .unreflectConstructor(type.getConstructor(types))
              .asSpreader(Object[].class, types.length)
              .asType(MethodType.methodType(Object.class, Object[].class)));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(type + " has no public canonical constructor", e);
    }
  }

  /** What it takes, in order. */
  public List<RecordComponent> components() {
    return components;
  }

  /** A record of these values, one for each component. Throws what its constructor throws. */
  @SuppressWarnings("ThrowSpecificExceptions") // what a method handle declares is Throwable
  public Object make(@Nullable Object[] values) {
    try {
      return (Object) handle.invokeExact(values);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a constructor of a record threw a checked exception", e);
    }
  }
}
