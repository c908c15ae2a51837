package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.INTERRUPTED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.StoredKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Makes the API server store objects again.
 *
 * <p>It sends a merge patch that changes nothing. The API server then reads the object, converts it
 * to the storage version, and writes it if it differs from what is in etcd. Content, generation and
 * field managers stay unchanged, no content is transferred, and since the patch is empty, it cannot
 * undo concurrent writes.
 */
final class Rewriter {
  private static final String NOTHING = "{}";

  private final RetryingCaller caller;
  private final StoredKind kind;
  private final ExecutorService threads;

  /**
   * An object as it was listed.
   *
   * @param path which one
   * @param resourceVersion its last write; null if not known
   */
  record Listed(ObjectPath path, @Nullable String resourceVersion) {
    static Listed of(JsonNode object) {
      return new Listed(ObjectPath.of(object), object.at("/metadata/resourceVersion").asText());
    }
  }

  /** The results of some objects. */
  record Result(Counts counts, List<Failure> failures) {
    private Result plus(Result other) {
      List<Failure> all = new ArrayList<>(failures);
      all.addAll(other.failures);
      return new Result(counts.plus(other.counts), all);
    }

    private static Result of(long rewritten, long unchanged, long gone, long conflicts) {
      return new Result(new Counts(rewritten, unchanged, gone, conflicts), List.of());
    }
  }

  Rewriter(RetryingCaller caller, StoredKind kind, ExecutorService threads) {
    this.caller = caller;
    this.kind = kind;
    this.threads = threads;
  }

  /**
   * Rewrites these and returns when the last one is through.
   *
   * @throws ClusterException if the cluster as such cannot be worked with
   */
  Result rewrite(Collection<Listed> objects, Display display) {
    List<Callable<Result>> tasks = new ArrayList<>();
    for (Listed object : objects) {
      tasks.add(
          () -> {
            Result result = rewrite(object);
            display.step();
            return result;
          });
    }
    Result all = Result.of(0, 0, 0, 0);
    for (Future<Result> result : run(tasks)) {
      all = all.plus(get(result));
    }
    return all;
  }

  private List<Future<Result>> run(List<Callable<Result>> tasks) {
    try {
      return threads.invokeAll(tasks);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(INTERRUPTED, "interrupted", e);
    }
  }

  private static Result get(Future<Result> result) {
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ClusterException cluster) {
        throw cluster;
      }
      throw new IllegalStateException("a rewrite failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException(INTERRUPTED, "interrupted", e);
    }
  }

  private Result rewrite(Listed object) {
    String version = kind.collection(kind.storageVersion());
    String base = version.substring(0, version.lastIndexOf('/'));
    RetryingCaller.Outcome outcome =
        caller.patch(
            object.path().within(base, kind.kind().plural()) + "?fieldManager=sluice-migrate",
            NOTHING);
    Answer answer = outcome.answer();
    if (answer.isSuccess()) {
      String now = answer.json().at("/metadata/resourceVersion").asText();
      boolean same = now.equals(object.resourceVersion());
      return Result.of(same ? 0 : 1, same ? 1 : 0, 0, outcome.conflicts());
    }
    if (answer.status() == 404) {
      return gone(object, answer, outcome.conflicts());
    }
    return new Result(
        new Counts(0, 0, 0, outcome.conflicts()),
        List.of(new Failure(object.path().toString(), answer.message())));
  }

  /** Not found is not found only if the server speaks of this object, and not of the whole kind. */
  private Result gone(Listed object, Answer answer, int conflicts) {
    if (!answer.json().at("/details/name").asText().equals(object.path().name())) {
      throw new ClusterException(
          UNEXPECTED,
          "the API server no longer serves %s at %s: %s"
              .formatted(kind.kind().plural(), kind.storageVersion(), answer.message()));
    }
    return Result.of(0, 0, 1, conflicts);
  }
}
