package dev.sluice.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a Prometheus operator and Grafana get of an installation: PodMonitors, alerts, and
 * dashboards.
 *
 * @param isInstalled whether there is anything of it
 * @param labels labels for the PodMonitors and the PrometheusRule, by which a Prometheus selects
 *     them; in the order of their keys
 */
public record Monitoring(boolean isInstalled, Map<String, String> labels) {
  /** An installation without it. */
  public static final Monitoring NONE = new Monitoring(false, Map.of());

  /** An installation with it, for a Prometheus that selects without labels. */
  public static final Monitoring PLAIN = new Monitoring(true, Map.of());

  /** The kinds that the operator selects by labels. */
  private static final Set<String> SELECTED = Set.of("PodMonitor", "PrometheusRule");

  private static final String PART_OF = "app.kubernetes.io/part-of";
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?");

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException if a key or a value is none that the API server takes, or the
   *     key is one that our objects have already
   */
  public Monitoring {
    labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    labels.forEach(Monitoring::check);
  }

  private static void check(String key, String value) {
    int slash = key.indexOf('/');
    boolean isKey =
        NAME.matcher(key.substring(slash + 1)).matches()
            && (slash < 0 || PREFIX.matcher(key.substring(0, slash)).matches());
    if (!isKey || !(value.isEmpty() || NAME.matcher(value).matches())) {
      throw new IllegalArgumentException(
          "label: " + key + "=" + value + " (expected: key and value of a Kubernetes label)");
    }
    if (key.equals(PART_OF)) {
      throw new IllegalArgumentException("label: " + key + " (expected: one that is not ours)");
    }
  }

  /** Puts the labels on those of these documents that the operator selects. */
  void label(List<ObjectNode> documents) {
    for (ObjectNode document : documents) {
      if (SELECTED.contains(document.path("kind").asText())) {
        ObjectNode own = document.withObject("/metadata/labels");
        labels.forEach(own::put);
      }
    }
  }
}
