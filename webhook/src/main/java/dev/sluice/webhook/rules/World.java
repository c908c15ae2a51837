package dev.sluice.webhook.rules;

import static java.util.Objects.requireNonNull;

import dev.sluice.webhook.settings.Settings;
import dev.sluice.webhook.view.ClusterView;

/**
 * What surrounds a request: the cluster as far as it is known, and what the operator chose.
 *
 * @param view the cluster
 * @param settings the choices
 */
public record World(ClusterView view, Settings settings) {
  /** Nothing is known of the cluster, and nothing was chosen. */
  public static final World UNKNOWN = new World(ClusterView.BLIND, Settings.DEFAULT);

  public World {
    requireNonNull(view, "view");
    requireNonNull(settings, "settings");
  }
}
