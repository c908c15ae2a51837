package dev.sluice.webhook.rules;

import static java.util.Objects.requireNonNull;

import dev.sluice.webhook.ledger.QuotaView;
import dev.sluice.webhook.settings.Settings;
import dev.sluice.webhook.view.ClusterView;

/**
 * What surrounds a request: the cluster as far as it is known, and what the operator chose.
 *
 * @param view the cluster
 * @param settings the choices
 * @param quota what is reserved of the quotas
 */
public record World(ClusterView view, Settings settings, QuotaView quota) {
  /** Nothing is known of the cluster, and nothing was chosen. */
  public static final World UNKNOWN = new World(ClusterView.BLIND, Settings.DEFAULT);

  public World {
    requireNonNull(view, "view");
    requireNonNull(settings, "settings");
    requireNonNull(quota, "quota");
  }

  /** A world of whose quotas nothing is known. */
  public World(ClusterView view, Settings settings) {
    this(view, settings, QuotaView.NONE);
  }

  /** The same, asked by nobody but the API server. */
  public World ofKnownCallers() {
    return new World(view, settings, quota.ofKnownCallers());
  }
}
