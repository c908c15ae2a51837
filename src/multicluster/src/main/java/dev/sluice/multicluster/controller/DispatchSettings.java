package dev.sluice.multicluster.controller;

import static java.util.Objects.requireNonNull;

import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.configuration.FeatureGates;
import dev.sluice.api.configuration.Scheduling;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.multicluster.copy.Identity;
import dev.sluice.multicluster.dispatch.AllAtOnce;
import dev.sluice.multicluster.dispatch.Dispatcher;
import dev.sluice.multicluster.dispatch.External;
import dev.sluice.multicluster.dispatch.Incremental;
import dev.sluice.multicluster.protocol.ProtocolSettings;
import dev.sluice.multicluster.view.WorkerKinds;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of an operator for sending Workloads to workers.
 *
 * @param origin the label of all copies
 * @param workerLostTimeout how long a worker may be away
 * @param sweep the interval of looking for leftovers; zero for only at events
 * @param dispatcher the dispatcher that chooses the clusters
 * @param giveUpAfter how long no worker may admit a Workload; empty for ever
 * @param resources the kinds on a worker, as users name them
 * @param isNamedByAnnotation whether a job names its Workload in an annotation, not in a label
 */
public record DispatchSettings(
    String origin,
    Duration workerLostTimeout,
    Duration sweep,
    Dispatcher dispatcher,
    Optional<Duration> giveUpAfter,
    List<String> resources,
    boolean isNamedByAnnotation) {
  private static final int STEP_SIZE = 3;

  public DispatchSettings {
    requireNonNull(origin, "origin");
    requireNonNull(workerLostTimeout, "workerLostTimeout");
    requireNonNull(sweep, "sweep");
    requireNonNull(dispatcher, "dispatcher");
    requireNonNull(giveUpAfter, "giveUpAfter");
    resources = List.copyOf(resources);
  }

  /**
   * Reads the settings from a configuration.
   *
   * @param extensions what only Sluice has
   * @param jobs the same configuration, for jobs
   */
  public static DispatchSettings of(
      Configuration configuration, Extensions extensions, JobSettings jobs) {
    Scheduling.MultiKueue chosen = configuration.scheduling().multiKueue();
    return new DispatchSettings(
        chosen.origin(),
        chosen.workerLostTimeout(),
        chosen.gcInterval(),
        dispatcher(chosen, configuration.featureGates()),
        extensions.multiKueue().giveUpAfter(),
        WorkerKinds.of(chosen.origin(), jobs).resources(),
        configuration.featureGates().isOn(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS));
  }

  private static Dispatcher dispatcher(Scheduling.MultiKueue chosen, FeatureGates gates) {
    return switch (chosen.dispatcherName()) {
      case Controllers.DISPATCHER_ALL_AT_ONCE -> new AllAtOnce();
      case Controllers.DISPATCHER_INCREMENTAL ->
          new Incremental(
              gates.isOn(FeatureGate.MULTI_KUEUE_INCREMENTAL_DISPATCHER_CONFIG)
                  ? chosen.stepSize().orElse(STEP_SIZE)
                  : STEP_SIZE,
              gates.isOn(FeatureGate.MULTI_KUEUE_INCREMENTAL_DISPATCHER_RESPECT_CONFIG_ORDER));
      default -> new External();
    };
  }

  ProtocolSettings protocol(Identity us) {
    return new ProtocolSettings(
        us, workerLostTimeout, dispatcher, giveUpAfter, isNamedByAnnotation);
  }
}
