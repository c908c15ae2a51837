package dev.sluice.scheduler.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes pods by force that cannot end, where their owners allow it (gate {@code
 * FailureRecoveryPolicy}).
 */
public final class FailureRecoveryController implements Controller {
  private static final Logger LOG = LoggerFactory.getLogger(FailureRecoveryController.class);
  private static final int WORKERS = 2;

  private final Objects objects;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final ObjectIndex byNode = new ObjectIndex(FailureRecoveryController::nodes);
  private final WorkQueue<ObjectKey> queue;

  /** Starts to work. */
  public FailureRecoveryController(
      Objects objects,
      Outbox outbox,
      BooleanSupplier leads,
      InstantSource clock,
      Supervisor supervisor) {
    this.objects = objects;
    this.outbox = outbox;
    this.leads = leads;
    this.clock = clock;
    this.queue = new WorkQueue<>("recovery", WORKERS, this::reconcile, supervisor);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    if (kind.equals(Kinds.POD)) {
      byNode.note(change);
      change.after().flatMap(LostPod::of).ifPresent(it -> queue.add(ObjectKey.of(it.tree())));
    } else if (kind.equals(Kinds.NODE)) {
      byNode.find(ObjectKey.of(change.latest()).name()).forEach(queue::add);
    }
  }

  @Override
  public void resync() {
    objects.all(Kinds.POD).stream()
        .flatMap(pod -> LostPod.of(pod).stream())
        .forEach(it -> queue.add(ObjectKey.of(it.tree())));
  }

  private static Set<String> nodes(JsonNode pod) {
    return LostPod.of(pod).map(it -> Set.of(it.node())).orElse(Set.of());
  }

  private Result reconcile(ObjectKey key) {
    Optional<LostPod> pod =
        objects.find(Kinds.POD, key.namespace(), key.name()).flatMap(LostPod::of);
    if (!leads.getAsBoolean() || pod.isEmpty() || !isOutOfReach(pod.get().node())) {
      return Result.REST; // a change of the pod or its node brings it back here
    }
    Instant now = clock.instant();
    if (now.isBefore(pod.get().due())) {
      return new Result.Again(Duration.between(now, pod.get().due()));
    }
    for (Write write : pod.get().ends(now)) {
      WriteResult sent = outbox.send(write);
      if (!sent.isDone()) {
        LOG.debug("Pod {}: {} ended as {}", key, write, sent);
        return sent instanceof WriteResult.Missing ? Result.REST : Result.FAILED;
      }
    }
    return Result.REST;
  }

  private boolean isOutOfReach(String node) {
    return objects.find(Kinds.NODE, "", node).filter(LostPod::isUnreachable).isPresent();
  }

  @Override
  public void close() {
    queue.close();
  }
}
