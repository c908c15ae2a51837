package dev.sluice.cli.migrate;

import static dev.sluice.cli.cluster.ClusterException.Reason.DENIED;
import static dev.sluice.cli.cluster.ClusterException.Reason.UNEXPECTED;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ClusterException;
import dev.sluice.cli.cluster.StoredKind;
import dev.sluice.cli.migrate.Rewriter.Listed;
import dev.sluice.cli.migrate.Rewriter.Result;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The walk over all objects of one kind, from a checkpoint to the end of the list.
 *
 * <p>Objects created during the walk need no migration: every write uses the storage version. If a
 * list cannot be continued because etcd has compacted its revision, it continues at a newer
 * revision after the last object; if the server does not support that, the list is read from its
 * start and processed objects are skipped.
 */
final class Walk {
  /** So many objects that fail are no longer a matter of objects. */
  static final int MAX_FAILURES = 100;

  private static final int GONE = 410;
  private static final int MAX_TOKENS_LOST = 5;

  private final RetryingCaller caller;
  private final StoredKind kind;
  private final Rewriter rewriter;
  private final int pageSize;

  Walk(RetryingCaller caller, StoredKind kind, Rewriter rewriter, int pageSize) {
    this.caller = caller;
    this.kind = kind;
    this.rewriter = rewriter;
    this.pageSize = pageSize;
  }

  /**
   * Continues from a checkpoint to the end, then retries failed objects once.
   *
   * @param save receives the new checkpoint after each page
   * @return the last checkpoint; not complete if too many objects failed
   */
  Checkpoint from(Checkpoint start, Display display, Consumer<Checkpoint> save) {
    Checkpoint here = start;
    while (!here.complete() && here.failures().size() < MAX_FAILURES) {
      here = page(here, display);
      save.accept(here);
    }
    if (here.complete() && !here.failures().isEmpty()) {
      here = retry(here, display);
      save.accept(here);
    }
    return here;
  }

  private Checkpoint retry(Checkpoint here, Display display) {
    display.say("trying again the " + here.failures().size() + " that failed");
    List<Listed> failed =
        here.failures().stream()
            .map(failure -> new Listed(ObjectPath.parse(failure.object()), null))
            .toList();
    Result result = rewriter.rewrite(failed, display);
    return here.retried(result.counts(), result.failures());
  }

  private record Page(Checkpoint from, JsonNode list) {}

  private Checkpoint page(Checkpoint here, Display display) {
    Page page = list(here, display);
    JsonNode metadata = page.list().path("metadata");
    List<Listed> all = new ArrayList<>();
    page.list().path("items").forEach(item -> all.add(Listed.of(item)));
    List<Listed> ahead = all.stream().filter(object -> isAhead(object, page.from())).toList();
    display.expect(here.seen() + ahead.size() + metadata.path("remainingItemCount").asLong());
    Result result = rewriter.rewrite(ahead, display);
    String next = metadata.path("continue").asText("");
    return page.from()
        .after(
            result.counts(),
            result.failures(),
            ahead.isEmpty() ? null : ahead.getLast().path().toString(),
            next.isEmpty() ? null : next);
  }

  private static boolean isAhead(Listed object, Checkpoint here) {
    String last = here.last();
    return last == null || object.path().compareTo(ObjectPath.parse(last)) > 0;
  }

  private Page list(Checkpoint start, Display display) {
    Checkpoint here = start;
    for (int lost = 0; lost < MAX_TOKENS_LOST; lost++) {
      Answer answer = caller.list(path(here.next()));
      if (answer.isSuccess()) {
        return new Page(here, answer.json());
      }
      boolean tokenIsUseless = here.next() != null && answer.status() == 400;
      if (answer.status() != GONE && !tokenIsUseless) {
        throw refused(answer);
      }
      String fresh = answer.json().at("/metadata/continue").asText("");
      display.say(
          "the list has expired and goes on "
              + (fresh.isEmpty() ? "from its start, skipping what is done" : "where it was"));
      here = here.continuing(fresh.isEmpty() ? null : fresh);
    }
    throw new ClusterException(
        UNEXPECTED, kind.kind().plural() + ": lists expire faster than they can be continued");
  }

  private String path(@Nullable String token) {
    return kind.collection(kind.storageVersion())
        + "?limit="
        + pageSize
        + (token == null ? "" : "&continue=" + URLEncoder.encode(token, UTF_8));
  }

  private ClusterException refused(Answer answer) {
    return new ClusterException(
        answer.status() == 403 ? DENIED : UNEXPECTED,
        "%s at %s cannot be listed: %s"
            .formatted(kind.kind().plural(), kind.storageVersion(), answer.message()));
  }
}
