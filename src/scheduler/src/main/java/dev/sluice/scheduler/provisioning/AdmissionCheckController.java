package dev.sluice.scheduler.provisioning;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.AdmissionCheckStatus;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.StatusWrite;
import dev.sluice.api.write.Write;
import dev.sluice.lifecycle.provisioning.IndexedProvisioningWorld;
import dev.sluice.scheduler.store.Objects;
import dev.sluice.scheduler.store.Outbox;
import dev.sluice.scheduler.work.Controller;
import dev.sluice.scheduler.work.WorkQueue;
import dev.sluice.scheduler.work.WorkQueue.Result;
import dev.sluice.scheduler.write.WriteResult;
import dev.sluice.supervision.Supervisor;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes the Active condition of each AdmissionCheck of the provisioning controller. The engine
 * admits no Workload to a ClusterQueue with an inactive check.
 */
public final class AdmissionCheckController implements Controller {
  private static final GroupKind CHECK = ApiKind.ADMISSION_CHECK.groupKind();
  private static final GroupKind CONFIG = ApiKind.PROVISIONING_REQUEST_CONFIG.groupKind();

  /** No object changes when the API server begins or ends to serve a kind. */
  private static final Duration APART = Duration.ofSeconds(5);

  private final Objects objects;
  private final IndexedProvisioningWorld world;
  private final Outbox outbox;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final WorkQueue<String> queue;

  /** Starts to work. */
  public AdmissionCheckController(
      Objects objects,
      Outbox outbox,
      BooleanSupplier leads,
      InstantSource clock,
      Supervisor supervisor) {
    this.objects = objects;
    this.world = new IndexedProvisioningWorld(objects);
    this.outbox = outbox;
    this.leads = leads;
    this.clock = clock;
    this.queue = new WorkQueue<>("checks", 1, this::reconcile, supervisor);
  }

  @Override
  public void changed(GroupKind kind, ObjectChange change) {
    String name = ObjectKey.of(change.latest()).name();
    if (kind.equals(CHECK)) {
      queue.add(name);
    } else if (kind.equals(CONFIG)) {
      world.checksWith(name).forEach(queue::add);
    }
  }

  @Override
  public void resync() {
    objects.all(CHECK).forEach(it -> queue.add(ObjectKey.of(it).name()));
  }

  private Result reconcile(String name) {
    Optional<AdmissionCheck> check = world.ownCheck(name);
    if (!leads.getAsBoolean() || check.isEmpty()) {
      return Result.REST; // a change of the check, or leading, brings it back here
    }
    return update(check.get())
        .map(outbox::send)
        .filter(sent -> !sent.isDone() && !(sent instanceof WriteResult.Missing))
        .map(_ -> Result.FAILED)
        .orElse(new Result.Again(APART));
  }

  private Optional<Write> update(AdmissionCheck check) {
    var conditions =
        world.activity(check).in(check, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    var metadata = check.metadata();
    return StatusWrite.between(
        new ObjectRef(ApiKind.ADMISSION_CHECK.hub(), "", metadata.name(), metadata.uid()),
        metadata.resourceVersion(),
        check.status(),
        new AdmissionCheckStatus(conditions),
        Controllers.PROVISIONING_REQUEST);
  }

  @Override
  public void close() {
    queue.close();
  }
}
