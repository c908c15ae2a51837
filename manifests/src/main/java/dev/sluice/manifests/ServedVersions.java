package dev.sluice.manifests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiVersion;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The versions at which the API server serves our kinds. It decodes each write once for each served
 * version, and converts it, so a version that no client uses is better left out. The version that
 * is stored is always served.
 */
public final class ServedVersions {
  /** All versions that a kind has. */
  public static final ServedVersions ALL = new ServedVersions(EnumSet.allOf(ApiVersion.class));

  /** The annotation of a CRD that says which versions it was installed with. */
  public static final String ANNOTATION = "sluice.dev/served";

  private final Set<ApiVersion> versions;

  private ServedVersions(Set<ApiVersion> versions) {
    this.versions = versions;
  }

  /**
   * These versions and the one that is stored.
   *
   * @throws IllegalArgumentException for a text that is no version
   */
  public static ServedVersions of(Iterable<String> texts) {
    Set<ApiVersion> versions = EnumSet.of(ApiVersion.HUB);
    for (String text : texts) {
      versions.add(
          ApiVersion.findByText(text)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          text
                              + " (expected: some of "
                              + Arrays.toString(ApiVersion.values())
                              + ")")));
    }
    return versions.size() == ApiVersion.values().length ? ALL : new ServedVersions(versions);
  }

  /** The versions that an installed CRD is meant to leave out; none without the annotation. */
  public static boolean leavesOut(JsonNode crd, String version) {
    String served = crd.at("/metadata/annotations").path(ANNOTATION).asText();
    return !served.isEmpty() && !Set.of(served.split(",")).contains(version);
  }

  /** Turns the other versions of the CRD off, and says so in an annotation. */
  public void applyTo(ObjectNode crd) {
    if (this == ALL) {
      return;
    }
    for (JsonNode version : crd.at("/spec/versions")) {
      Optional<ApiVersion> known = ApiVersion.findByText(version.path("name").asText());
      ((ObjectNode) version).put("served", known.filter(versions::contains).isPresent());
    }
    ((ObjectNode) crd.path("metadata"))
        .withObject("/annotations")
        .put(ANNOTATION, String.join(",", versions.stream().map(ApiVersion::text).toList()));
  }
}
