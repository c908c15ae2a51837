package dev.sluice.api.meta;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The default of a field that an object omits, as the API server would set it: a word, a number, or
 * {@code {}} for an object whose own fields have their defaults. A reader sets it, so a record
 * always has a value here.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
  /** The default as an object would have it. */
  String value();
}
