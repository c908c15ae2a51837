package dev.sluice.json.tree;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which members of an object are kept. What it says of an object holds for each item of a list.
 * Immutable.
 */
public final class Keep {
  /** Everything. */
  public static final Keep ALL = new Keep(_ -> true, Map.of());

  private final Predicate<String> rest;
  private final Map<String, Keep> members;

  private Keep(Predicate<String> rest, Map<String, Keep> members) {
    this.rest = rest;
    this.members = Collections.unmodifiableMap(new HashMap<>(members));
  }

  /** These members, each whole, and no others. */
  public static Keep only(String... names) {
    List<String> kept = List.of(names);
    return new Keep(kept::contains, Map.of());
  }

  /** The members whose names pass, each whole. */
  public static Keep named(Predicate<String> names) {
    return new Keep(names, Map.of());
  }

  /** All members but these. */
  public static Keep allBut(String... names) {
    List<String> dropped = Arrays.asList(names);
    return new Keep(name -> !dropped.contains(name), Map.of());
  }

  /** The same, and of this member what another says. */
  public Keep with(String name, Keep member) {
    Map<String, Keep> more = new HashMap<>(members);
    more.put(name, member);
    return new Keep(rest, more);
  }

  /** What is kept of a member; null if it is dropped. */
  @Nullable Keep member(String name) {
    if (this == ALL) {
      return ALL;
    }
    Keep member = members.get(name);
    return member != null ? member : rest.test(name) ? ALL : null;
  }
}
