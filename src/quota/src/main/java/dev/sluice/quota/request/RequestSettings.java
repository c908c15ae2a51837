package dev.sluice.quota.request;

import java.util.List;

/**
 * The part of the configuration that says what pods count as.
 *
 * @param excludedPrefixes resources whose names begin so are not counted
 * @param transformations what resources are turned into, at most one for each input
 * @param reclaimablePods whether pods that are not needed any more stop counting
 */
public record RequestSettings(
    List<String> excludedPrefixes,
    List<ResourceTransformation> transformations,
    boolean reclaimablePods) {
  /** Everything counts as what it is. */
  public static final RequestSettings DEFAULT = new RequestSettings(List.of(), List.of(), true);

  /** Copies what is given. */
  public RequestSettings {
    excludedPrefixes = List.copyOf(excludedPrefixes);
    transformations = List.copyOf(transformations);
  }
}
