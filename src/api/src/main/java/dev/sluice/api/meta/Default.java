package dev.sluice.api.meta;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a field has where an object leaves it out, as the API server would have filled it in: a
 * word, a number, or {@code {}} for an object whose own fields have their defaults. A reader fills
 * it in, so a record always has a value here.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
  /** The default as it would stand in an object. */
  String value();
}
