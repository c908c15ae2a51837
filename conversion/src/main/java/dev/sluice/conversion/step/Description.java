package dev.sluice.conversion.step;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A {@link Difference} in words, as the documentation lists it.
 *
 * @param name the name of its entry in an annotation
 * @param parent the path of the object that holds the keys, such as {@code
 *     spec.podSets[].topologyRequest}; empty for the root
 * @param keys the keys it is about, those of both versions together
 * @param sort what happens to them, in a few words
 * @param derived whether it is status that controllers rebuild
 */
public record Description(
    String name, String parent, List<String> keys, String sort, boolean derived) {
  /** The sort of a difference whose value is computed. */
  public static final String REBUILT = "rebuilt";

  public Description {
    requireNonNull(name, "name");
    requireNonNull(parent, "parent");
    keys = List.copyOf(keys);
    requireNonNull(sort, "sort");
  }
}
