package dev.sluice.rules;

import static java.util.Objects.requireNonNull;

import dev.sluice.rules.quota.QuotaView;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ClusterView;

/**
 * What surrounds a request: the cluster as far as it is known, and what the operator chose.
 *
 * @param view the cluster
 * @param settings the choices
 * @param quota what is reserved of the quotas
 */
public record ReviewContext(ClusterView view, Settings settings, QuotaView quota) {
  /** Nothing is known of the cluster, and nothing was chosen. */
  public static final ReviewContext UNKNOWN =
      new ReviewContext(ClusterView.EMPTY, Settings.DEFAULT);

  public ReviewContext {
    requireNonNull(view, "view");
    requireNonNull(settings, "settings");
    requireNonNull(quota, "quota");
  }

  /** A world of whose quotas nothing is known. */
  public ReviewContext(ClusterView view, Settings settings) {
    this(view, settings, QuotaView.NONE);
  }

  /** The same for reviews that only the API server can send. */
  public ReviewContext ofKnownCallers() {
    return new ReviewContext(view, settings, quota.ofKnownCallers());
  }
}
