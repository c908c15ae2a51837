package dev.sluice.quota.configuration;

import java.util.List;

/**
 * How requests are read (reference: 1.6, 4.5).
 *
 * @param excludePrefixes of resources that are not counted
 * @param transformations in the order they were configured, one per input
 * @param ignoreUndeclared whether a resource that a ClusterQueue does not cover is ignored instead
 *     of refused
 */
public record ResourceSettings(
    List<String> excludePrefixes,
    List<ResourceTransformation> transformations,
    boolean ignoreUndeclared) {
  /** Requests as they are. */
  public static final ResourceSettings NONE = new ResourceSettings(List.of(), List.of(), false);

  public ResourceSettings {
    excludePrefixes = List.copyOf(excludePrefixes);
    transformations = List.copyOf(transformations);
  }
}
