package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.DENIED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;
import static dev.sluice.cli.migrate.KindReport.Outcome.FAILED;
import static dev.sluice.cli.migrate.KindReport.Outcome.MIGRATED;
import static dev.sluice.cli.migrate.KindReport.Outcome.NOTHING_TO_DO;
import static dev.sluice.cli.migrate.KindReport.Outcome.NOT_INSTALLED;
import static dev.sluice.cli.migrate.KindReport.Outcome.WOULD_MIGRATE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.migrate.Checkpoint.Definition;
import dev.sluice.cli.migrate.KindReport.Versions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves all objects of a kind to the storage version, then takes the other versions off {@code
 * status.storedVersions}.
 *
 * <p>The invariant: versions are taken off only after every object was seen to while the definition
 * had one and the same spec, from before the first object until the write to its status, which has
 * its resourceVersion as precondition. If the spec changes on the way, the walk is made again
 * (objects that are done cost no write then); if the storage version does, nothing is taken off.
 * Killed at any point, it leaves objects that all can be read and a definition that still names
 * their versions.
 */
final class Migration {
  private static final int MAX_WALKS = 3;
  private static final int MAX_TRIMS = 5;

  private final RetryingCaller caller;
  private final Settings settings;
  private final Display.Factory displays;

  /**
   * How it is done.
   *
   * @param parallel writes under way at the same time
   * @param pageSize objects listed, and then written, between two checkpoints
   * @param settle how long ago the definition must have been changed, so that all API servers know
   * @param dryRun whether only to count
   * @param force whether to rewrite also where all is said to be at the storage version
   */
  record Settings(int parallel, int pageSize, Duration settle, boolean dryRun, boolean force) {}

  Migration(RetryingCaller caller, Settings settings, Display.Factory displays) {
    this.caller = caller;
    this.settings = settings;
    this.displays = displays;
  }

  /**
   * A unique name of the cluster: the uid of a namespace that every cluster has and that cannot be
   * deleted; the address for users who may not read it.
   */
  String clusterName(String address) {
    Answer answer = caller.get("/api/v1/namespaces/kube-system");
    String uid = answer.json().at("/metadata/uid").asText("");
    return answer.isSuccess() && !uid.isEmpty() ? uid : address;
  }

  private record Definitions(@Nullable StoredKind kind, Instant serverTime) {}

  private Definitions read(ApiKind kind) {
    Answer answer = caller.get(StoredKind.definition(kind));
    if (answer.status() == 404) {
      return new Definitions(null, Instant.EPOCH);
    }
    if (!answer.isSuccess()) {
      throw new ClusterException(
          answer.status() == 403 ? DENIED : UNEXPECTED,
          kind.crdName() + " cannot be read: " + answer.message());
    }
    return new Definitions(
        StoredKind.of(kind, answer.json()), answer.date().orElseGet(Instant::now));
  }

  /**
   * Migrates one kind.
   *
   * @param checkpoints where to continue, and where to store the progress
   * @throws ClusterException if the cluster cannot be used; then a later run continues
   */
  KindReport migrate(ApiKind kind, Checkpoints checkpoints) {
    Definitions found = read(kind);
    StoredKind stored = found.kind();
    if (stored == null) {
      return new KindReport(kind, NOT_INSTALLED, "", Versions.UNKNOWN, Counts.NONE, List.of());
    }
    Versions unchanged = versions(stored, stored.storedVersions());
    if (!stored.servedVersions().contains(stored.storageVersion())) {
      String note = stored.storageVersion() + " is stored but not served: serve it first";
      return new KindReport(kind, FAILED, note, unchanged, Counts.NONE, List.of());
    }
    if (stored.isMigrated() && !settings.force()) {
      return new KindReport(kind, NOTHING_TO_DO, "", unchanged, Counts.NONE, List.of());
    }
    return settings.dryRun() ? count(stored) : walk(stored, found.serverTime(), checkpoints);
  }

  private static Versions versions(StoredKind stored, List<String> after) {
    return new Versions(stored.storageVersion(), stored.storedVersions(), after);
  }

  private KindReport count(StoredKind stored) {
    Answer answer = caller.list(stored.collection(stored.storageVersion()) + "?limit=1");
    if (!answer.isSuccess()) {
      return new KindReport(
          stored.kind(),
          FAILED,
          "cannot be listed: " + answer.message(),
          versions(stored, stored.storedVersions()),
          Counts.NONE,
          List.of());
    }
    long objects =
        answer.json().path("items").size()
            + answer.json().at("/metadata/remainingItemCount").asLong();
    return new KindReport(
        stored.kind(),
        WOULD_MIGRATE,
        objects + " objects",
        versions(stored, List.of(stored.storageVersion())),
        Counts.NONE,
        List.of());
  }

  private KindReport walk(StoredKind first, Instant serverTime, Checkpoints checkpoints) {
    StoredKind stored = first;
    Instant now = serverTime;
    Counts counts = Counts.NONE;
    for (int walks = 0; walks < MAX_WALKS; walks++) {
      Checkpoint end = walkOnce(stored, now, checkpoints);
      counts = counts.plus(end.counts());
      if (!end.failures().isEmpty()) {
        String note =
            end.complete() ? "" : "given up: " + end.failures().size() + " objects failed";
        return report(first, FAILED, note, counts, end.failures());
      }
      Trim trim = trim(stored);
      switch (trim) {
        case Trim.Done _ -> {
          checkpoints.delete(stored.kind());
          return report(first, MIGRATED, "", counts, List.of());
        }
        case Trim.No(String why) -> {
          return report(first, FAILED, why, counts, List.of());
        }
        case Trim.Again(Definitions newer, StoredKind kind) -> {
          stored = kind;
          now = newer.serverTime();
        }
      }
    }
    String note = "the definition kept changing during " + MAX_WALKS + " walks: run this again";
    return report(first, FAILED, note, counts, List.of());
  }

  private static KindReport report(
      StoredKind stored,
      KindReport.Outcome outcome,
      String note,
      Counts counts,
      List<Failure> failures) {
    List<String> after =
        outcome == MIGRATED ? List.of(stored.storageVersion()) : stored.storedVersions();
    return new KindReport(stored.kind(), outcome, note, versions(stored, after), counts, failures);
  }

  private Checkpoint walkOnce(StoredKind stored, Instant now, Checkpoints checkpoints) {
    ApiKind kind = stored.kind();
    Definition definition = Definition.of(stored);
    Checkpoint start =
        checkpoints.load(kind, definition).orElseGet(() -> Checkpoint.start(definition));
    try (Display display = displays.start(kind.kind(), start.seen());
        ExecutorService threads = Executors.newFixedThreadPool(settings.parallel())) {
      if (start.seen() > 0) {
        display.say(kind + ": going on after " + start.seen() + " objects of an earlier run");
      }
      settle(stored, now, display);
      Rewriter rewriter = new Rewriter(caller, stored, threads);
      return new Walk(caller, stored, rewriter, settings.pageSize())
          .from(start, display, checkpoint -> checkpoints.save(kind, checkpoint));
    }
  }

  /**
   * An API server that does not know a new storage version yet would store the old one and report
   * success.
   */
  private void settle(StoredKind stored, Instant now, Display display) {
    Instant changed = stored.identity().specChanged().orElse(now);
    Duration left = settings.settle().minus(Duration.between(changed, now));
    if (!left.isPositive()) {
      return;
    }
    Duration wait = left.compareTo(settings.settle()) > 0 ? settings.settle() : left;
    display.say(
        "%s: changed just now, waiting %d s until every API server knows"
            .formatted(stored.kind().crdName(), wait.toSeconds()));
    try {
      TimeUnit.NANOSECONDS.sleep(wait.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(ClusterException.Reason.INTERRUPTED, "interrupted", e);
    }
  }

  /** What came of taking versions off. */
  private sealed interface Trim {
    /** They are off. */
    record Done() implements Trim {}

    /** They stay. */
    record No(String why) implements Trim {}

    /** The definition has another spec now, with the same storage version. */
    record Again(Definitions found, StoredKind kind) implements Trim {}
  }

  private Trim trim(StoredKind walked) {
    Definition definition = Definition.of(walked);
    for (int tries = 0; tries < MAX_TRIMS; tries++) {
      Definitions found = read(walked.kind());
      StoredKind now = found.kind();
      if (now == null || !now.identity().uid().equals(walked.identity().uid())) {
        return new Trim.No("the definition was deleted meanwhile");
      }
      if (!now.storageVersion().equals(walked.storageVersion())) {
        return new Trim.No(
            "the storage version became %s meanwhile: run this again"
                .formatted(now.storageVersion()));
      }
      if (!Definition.of(now).equals(definition)) {
        return new Trim.Again(found, now);
      }
      if (now.isMigrated()) {
        return new Trim.Done();
      }
      Answer answer = caller.patchOnce(StoredKind.definition(now.kind()) + "/status", patch(now));
      if (answer.isSuccess()) {
        return new Trim.Done();
      }
      if (answer.status() != 409) {
        return new Trim.No("status.storedVersions cannot be written: " + answer.message());
      }
    }
    return new Trim.No("the definition is written to all the time: run this again");
  }

  private static String patch(StoredKind now) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", now.identity().resourceVersion());
    patch.putObject("status").putArray("storedVersions").add(now.storageVersion());
    return patch.toString();
  }
}
