package dev.sluice.lifecycle.provisioning;

import dev.sluice.api.ExponentialBackoff;
import dev.sluice.api.check.PodSetUpdateNodeSelector;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.check.ProvisioningRequestPodSetUpdates;
import dev.sluice.api.check.ProvisioningRequestRetryStrategy;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.names.LabelValue;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.CheckState;
import dev.sluice.api.workload.PodSetUpdate;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns the state of a check into the next one. Pure. */
final class CheckAnswers {
  static final String NOT_NEEDED = "the provisioning request is not needed";
  static final String NOT_ACTIVE = "the check is not active";

  private final Instant now;

  CheckAnswers(Instant now) {
    this.now = now;
  }

  /** The attempt that a check is at; counts from 1. */
  static int attempt(AdmissionCheckState state) {
    Integer retries = state.retryCount();
    return 1 + (retries == null ? 0 : retries);
  }

  /** No answer yet; an empty message leaves what was said before. */
  AdmissionCheckState pending(AdmissionCheckState state, String message) {
    boolean keeps = message.isEmpty() && state.state() == CheckState.PENDING;
    return with(
        state, CheckState.PENDING, keeps ? state.message() : message, waits(state), List.of());
  }

  /** Nothing has to be asked for. */
  AdmissionCheckState notNeeded(AdmissionCheckState state) {
    return with(state, CheckState.READY, NOT_NEEDED, waits(state), List.of());
  }

  /**
   * What the answer of the autoscaler means for the check.
   *
   * @param podSets the names of all pod sets that the request is for
   * @param isAdmitted whether the Workload runs
   */
  AdmissionCheckState answered(
      AdmissionCheckState state,
      ProvisioningRequest request,
      ProvisioningRequestConfigSpec config,
      List<String> podSets,
      boolean isAdmitted) {
    return switch (request.outcome(isAdmitted)) {
      case RequestOutcome.Waiting(var message) -> isAdmitted ? state : pending(state, message);
      case RequestOutcome.Provisioned(var message) ->
          state.state() == CheckState.READY
              ? state // what Pods get does not change any more
              : provisioned(state, request, config, podSets, message);
      case RequestOutcome.Failed(var message) ->
          retried(state, config.retryStrategy(), "Retrying after failure: ", message);
      case RequestOutcome.BookingExpired(var message) ->
          retried(state, config.retryStrategy(), "Retrying after booking expired: ", message);
      case RequestOutcome.CapacityRevoked(var message) -> rejected(state, message);
    };
  }

  private AdmissionCheckState provisioned(
      AdmissionCheckState state,
      ProvisioningRequest request,
      ProvisioningRequestConfigSpec config,
      List<String> podSets,
      String message) {
    Map<String, String> selector = new LinkedHashMap<>();
    for (PodSetUpdateNodeSelector wanted : selectors(config.podSetUpdates())) {
      String detail = wanted.valueFromProvisioningClassDetail();
      String value = request.details().get(detail);
      if (value != null && !LabelValue.problems(value).isEmpty()) {
        return pending(
            state,
            ("ProvisioningRequest %s: status.provisioningClassDetails[%s] cannot be the value of"
                    + " node label %s")
                .formatted(request.name(), detail, wanted.key()));
      }
      if (value != null) {
        selector.put(wanted.key(), value);
      }
    }
    Map<String, String> annotations = new LinkedHashMap<>();
    annotations.put(Annotations.CONSUME_PROVISIONING_REQUEST, request.name());
    annotations.put(Annotations.PROVISIONING_CLASS_NAME, request.className());
    List<PodSetUpdate> updates =
        podSets.stream()
            .map(it -> new PodSetUpdate(it, Map.of(), annotations, selector, List.of()))
            .toList();
    return with(state, CheckState.READY, message, waits(state), updates);
  }

  private static List<PodSetUpdateNodeSelector> selectors(
      @Nullable ProvisioningRequestPodSetUpdates updates) {
    return updates == null ? List.of() : updates.nodeSelector();
  }

  private AdmissionCheckState retried(
      AdmissionCheckState state,
      ProvisioningRequestRetryStrategy strategy,
      String why,
      String message) {
    int attempt = attempt(state);
    return attempt <= strategy.backoffLimitCount()
        ? with(state, CheckState.RETRY, why + message, backoff(strategy, attempt), List.of())
        : rejected(state, message);
  }

  private static int backoff(ProvisioningRequestRetryStrategy strategy, int attempt) {
    ExponentialBackoff backoff =
        new ExponentialBackoff(
            Duration.ofSeconds(Math.max(0, strategy.backoffBaseSeconds())),
            Duration.ofSeconds(Math.max(0, strategy.backoffMaxSeconds())));
    return Math.toIntExact(backoff.after(attempt).toSeconds());
  }

  private AdmissionCheckState rejected(AdmissionCheckState state, String message) {
    return with(state, CheckState.REJECTED, message, waits(state), List.of());
  }

  private static @Nullable Integer waits(AdmissionCheckState state) {
    return state.requeueAfterSeconds();
  }

  private AdmissionCheckState with(
      AdmissionCheckState old,
      CheckState state,
      String message,
      @Nullable Integer requeueAfterSeconds,
      List<PodSetUpdate> updates) {
    return new AdmissionCheckState(
        old.name(),
        state,
        state == old.state() ? old.lastTransitionTime() : now,
        Messages.cut(message),
        requeueAfterSeconds,
        old.retryCount(),
        updates);
  }
}
