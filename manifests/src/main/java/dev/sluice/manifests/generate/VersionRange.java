package dev.sluice.manifests.generate;

import dev.sluice.api.ApiVersion;
import java.util.Optional;

/**
 * Versions from one to another, both included, as a kind file writes them: {@code v1beta1} for one
 * version, {@code v1beta2..} from one on, {@code ..v1beta1} up to one, {@code v1alpha1..v1beta1}.
 */
record VersionRange(ApiVersion first, ApiVersion last) {

  private static final String DOTS = "..";

  /** The range that is written like this; empty for any other text. */
  static Optional<VersionRange> find(String text) {
    int dots = text.indexOf(DOTS);
    if (dots < 0) {
      return ApiVersion.findByText(text).map(only -> new VersionRange(only, only));
    }
    if (text.equals(DOTS)) {
      return Optional.empty();
    }
    ApiVersion[] all = ApiVersion.values();
    Optional<ApiVersion> first = end(text.substring(0, dots), all[0]);
    Optional<ApiVersion> last = end(text.substring(dots + DOTS.length()), all[all.length - 1]);
    return first.flatMap(from -> last.map(to -> new VersionRange(from, to)));
  }

  private static Optional<ApiVersion> end(String text, ApiVersion open) {
    return text.isEmpty() ? Optional.of(open) : ApiVersion.findByText(text);
  }

  boolean contains(ApiVersion version) {
    return first.compareTo(version) <= 0 && version.compareTo(last) <= 0;
  }
}
