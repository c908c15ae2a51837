package dev.sluice.bench.objects;

import dev.sluice.api.ApiKind;
import java.util.List;

/** All makers of objects. */
public final class ObjectMakers {
  private static final List<ObjectMaker> ALL =
      List.of(new TopologyMaker(), new CohortMaker(), new WorkloadMaker());

  private ObjectMakers() {}

  /** The makers of those kinds that can be converted. */
  public static List<ObjectMaker> ofKnownKinds() {
    return ALL.stream().filter(maker -> ApiKind.find(maker.kind()).isPresent()).toList();
  }

  /**
   * The makers of these kinds, letter case aside.
   *
   * @throws IllegalArgumentException if a kind has no maker or cannot be converted
   */
  public static List<ObjectMaker> ofKinds(List<String> kinds) {
    return kinds.stream().map(ObjectMakers::ofKind).toList();
  }

  private static ObjectMaker ofKind(String kind) {
    List<ObjectMaker> known = ofKnownKinds();
    return known.stream()
        .filter(maker -> maker.kind().equalsIgnoreCase(kind))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind: %s (expected: one of %s)"
                        .formatted(kind, known.stream().map(ObjectMaker::kind).toList())));
  }
}
