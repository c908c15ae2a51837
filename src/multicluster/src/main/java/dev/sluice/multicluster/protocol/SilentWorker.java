package dev.sluice.multicluster.protocol;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.multicluster.waiting.WaitingReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Wakes a worker that has not looked at a copy since its queue became active. Kueue forgets
 * Workloads that came before their ClusterQueue, until they change: an annotation is touched, three
 * times at most. The number is in the annotation, so that a restart does not begin again.
 */
final class SilentWorker {
  /** How long a worker has to decide after its queue became active. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The time between two touches; {@link #PATIENCE} if the copy does not show the first one. */
  static final Duration INTERVAL = Duration.ofMinutes(1);

  static final int MOST = 3;

  private SilentWorker() {}

  /**
   * What the queue of a copy says of why it waits, and the touch that is due; empty if the copy
   * itself says it.
   */
  static Optional<WaitingReason> look(Context context, Worker worker, JsonNode copy) {
    if (Conditions.isTrue(copy, ConditionTypes.QUOTA_RESERVED)) {
      return Optional.empty();
    }
    return switch (worker.state().queue()) {
      case QueueState.Unknown _ -> Optional.empty();
      case QueueState.NoNamespace(boolean isTerminating) ->
          Optional.of(new WaitingReason.NoNamespace(context.namespace(), isTerminating));
      case QueueState.NoLocalQueue _ ->
          Optional.of(new WaitingReason.NoQueue(context.namespace(), queueName(copy)));
      case QueueState.NotActive(String queue, String why) ->
          Optional.of(new WaitingReason.QueueNotActive(queue, why));
      case QueueState.Active active ->
          isSilent(copy, active) ? wake(context, worker, copy, active) : Optional.empty();
    };
  }

  private static String queueName(JsonNode copy) {
    return copy.path("spec").path("queueName").asText();
  }

  /**
   * Whether the worker has said nothing since then: nothing at all of a copy that is older than
   * that, or that the queue is missing or inactive, which it is not. Both times are the worker's.
   */
  private static boolean isSilent(JsonNode copy, QueueState.Active active) {
    Optional<JsonNode> said = Conditions.find(copy, ConditionTypes.QUOTA_RESERVED);
    if (said.isEmpty()) {
      String created = copy.path("metadata").path("creationTimestamp").asText("");
      return created.compareTo(active.changed()) <= 0;
    }
    String message = said.get().path("message").asText();
    boolean isOfQueue = message.startsWith("LocalQueue ") || message.startsWith("ClusterQueue ");
    return isOfQueue && (message.endsWith("doesn't exist") || message.endsWith("is inactive"));
  }

  private static Optional<WaitingReason> wake(
      Context context, Worker worker, JsonNode copy, QueueState.Active active) {
    int touches = touches(copy);
    Memory.Touch last = context.plan.memory.touched().get(worker.name());
    Instant due = active.since().plus(PATIENCE);
    if (last != null) {
      Instant next = last.at().plus(touches < last.number() ? PATIENCE : INTERVAL);
      due = next.isAfter(due) ? next : due;
    }
    if (touches < MOST && context.now.isBefore(due)) {
      context.plan.again(due);
    } else if (touches < MOST) {
      touches++;
      context.plan.remote(worker.name(), touch(copy, touches));
      context.plan.memory = context.plan.memory.touched(worker.name(), touches, context.now);
      context.plan.again(context.now.plus(PATIENCE));
    }
    return touches == 0
        ? Optional.empty()
        : Optional.of(new WaitingReason.Silent(active.clusterQueue(), touches));
  }

  private static int touches(JsonNode copy) {
    String text =
        copy.path("metadata").path("annotations").path(Annotations.MULTI_KUEUE_TOUCHED).asText("");
    return text.matches("\\d") ? Integer.parseInt(text) : 0;
  }

  private static Write touch(JsonNode copy, int touches) {
    ObjectNode patch = Patches.object();
    patch
        .putObject("metadata")
        .putObject("annotations")
        .put(Annotations.MULTI_KUEUE_TOUCHED, Integer.toString(touches));
    return Chosen.patch(WorkloadView.TYPE, copy, patch);
  }
}
