package dev.sluice.server.wiring;

import dev.sluice.api.configuration.RoleSettings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether admission and the scheduler beside it work with the same settings. A job kind that only
 * admission knows would be suspended forever, so each difference is logged and counted.
 * Thread-safe.
 */
final class SettingsAgreement {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsAgreement.class);

  private final RoleSettings own;
  private volatile List<String> differences = List.of();

  SettingsAgreement(RoleSettings own) {
    this.own = own;
  }

  /** Compares with the settings of the scheduler, which may have restarted with others. */
  void compare(RoleSettings scheduler) {
    List<String> now = own.differencesFrom(scheduler);
    if (!now.equals(differences)) {
      differences = now;
      now.forEach(
          it ->
              LOG.warn(
                  "{} (give `sluice serve` and `sluice schedule` the same --config and"
                      + " --feature-gates)",
                  it));
      if (now.isEmpty()) {
        LOG.info("admission and the scheduler have the same settings now");
      }
    }
  }

  /** How the settings differ, a sentence each. */
  List<String> differences() {
    return differences;
  }

  void bindTo(MeterRegistry registry) {
    Gauge.builder("sluice.settings.differences", this, it -> it.differences().size())
        .description("Job kinds and feature gates that admission and its scheduler disagree on")
        .register(registry);
  }
}
