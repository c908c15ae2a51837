package dev.sluice.multicluster.dispatch;

import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling;
import dev.sluice.api.vocabulary.Controllers;

/** The dispatcher that a configuration names. */
public final class Dispatchers {
  private static final int DEFAULT_STEP = 3;

  private Dispatchers() {}

  /** The dispatcher of that name; any name that is not built in is somebody else's. */
  public static Dispatcher of(Scheduling.MultiKueue configured, FeatureGates gates) {
    return switch (configured.dispatcherName()) {
      case Controllers.DISPATCHER_ALL_AT_ONCE -> new AllAtOnce();
      case Controllers.DISPATCHER_INCREMENTAL ->
          new Incremental(
              gates.isOn(FeatureGate.MULTI_KUEUE_INCREMENTAL_DISPATCHER_CONFIG)
                  ? configured.stepSize().orElse(DEFAULT_STEP)
                  : DEFAULT_STEP,
              gates.isOn(FeatureGate.MULTI_KUEUE_INCREMENTAL_DISPATCHER_RESPECT_CONFIG_ORDER));
      default -> new External();
    };
  }
}
