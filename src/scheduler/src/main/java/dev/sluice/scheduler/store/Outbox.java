package dev.sluice.scheduler.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.scheduler.write.WorkloadWriteLock;
import dev.sluice.scheduler.write.WriteResult;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Sends writes, records the resulting objects and reports refusals. Writes to one Workload are sent
 * one after the other, under its {@linkplain WorkloadWriteLock lock}. Blocks; thread-safe.
 */
public final class Outbox {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private final Sender sender;
  private final Objects objects;
  private final Refusals refusals;
  private final WorkloadWriteLock writeLock = new WorkloadWriteLock(System::nanoTime);

  /** Nothing was sent yet. */
  public Outbox(Sender sender, Objects objects, InstantSource clock) {
    this.sender = sender;
    this.objects = objects;
    this.refusals = new Refusals(clock, sender::send);
  }

  /** Sends one write. */
  public WriteResult send(Write write) {
    ObjectRef target = write.target();
    if (write instanceof Write.Event || !target.kind().groupKind().equals(WORKLOAD)) {
      return deliver(write);
    }
    ObjectKey workload = new ObjectKey(target.namespace(), target.name());
    return writeLock.change(
        workload, demanded(write), () -> version(workload), () -> deliver(write));
  }

  /**
   * Sends a write that is valid only while the Workload is unchanged since it was read. Returns a
   * conflict if it has changed, or if the outcome of its last write is unknown.
   */
  public WriteResult sendWhile(JsonNode workload, Write write) {
    JsonNode metadata = workload.path("metadata");
    ObjectKey key =
        new ObjectKey(metadata.path("namespace").asText(), metadata.path("name").asText());
    return writeLock.because(
        key, Versions.text(workload), () -> version(key), () -> deliver(write));
  }

  /**
   * How long an unanswered write to this Workload may still be carried out; zero if there is none.
   * Until then the write must be assumed to be stored.
   */
  public Duration unheard(ObjectKey workload) {
    return writeLock.unheard(workload, version(workload));
  }

  private static @Nullable String demanded(Write write) {
    return write instanceof Write.MergePatch patch ? patch.resourceVersion() : null;
  }

  private String version(ObjectKey workload) {
    return objects
        .find(WORKLOAD, workload.namespace(), workload.name())
        .map(Versions::text)
        .orElse("");
  }

  private WriteResult deliver(Write write) {
    WriteResult sent = sender.send(write);
    switch (sent) {
      case WriteResult.Done(var object) when object.has("metadata") ->
          objects.wrote(write.target().kind().groupKind(), object);
      case WriteResult.Refused(_, var message) -> refusals.tell(write, "refuses to", message);
      case WriteResult.Unanswered(var message, _, var isFault) when isFault ->
          refusals.tell(write, "fails to", message);
      default -> {}
    }
    return sent;
  }
}
