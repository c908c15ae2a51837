package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.quota.Snapshot;
import dev.sluice.see.log.LogCursor;
import dev.sluice.see.log.LogEntry;
import dev.sluice.see.log.LogFilter;
import dev.sluice.see.log.LogPage;
import dev.sluice.see.log.TransitionLog;
import dev.sluice.see.names.Names;
import dev.sluice.server.reply.ContentTag;
import dev.sluice.server.reply.Reply;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * Answers what has happened last. A reader sees entries of Workloads that the rights to names
 * allow, and nothing says how many others there are. Safe for many threads; a call blocks while the
 * API server is asked whose names a caller may see.
 */
final class LogAnswers {
  private final TransitionLog log;
  private final NameRights rights;

  LogAnswers(TransitionLog log, NameRights rights) {
    this.log = log;
    this.rights = rights;
  }

  Reply answer(Target.Resource target, QueueState state, Caller caller, SeeRequest request) {
    Map<String, String> query = request.query();
    String before = query.getOrDefault("before", "");
    LogCursor from;
    int limit;
    try {
      from = before.isEmpty() ? null : LogCursor.of(before);
      limit = Views.page(query).limit();
    } catch (IllegalArgumentException e) {
      return Reply.failure(400, "BadRequest", String.valueOf(e.getMessage()));
    }
    Set<String> namespaces =
        target.namespace().isEmpty() ? log.namespaces() : Set.of(target.namespace());
    Names names = rights.of(caller, namespaces.stream());
    LogPage page =
        log.page(
            new LogFilter(
                query.getOrDefault("queue", ""),
                query.getOrDefault("workload", ""),
                query.getOrDefault("reason", ""),
                query.getOrDefault("preemptor", "")),
            names,
            target.namespace(),
            from,
            limit,
            queue -> target(state.snapshot(), queue));
    return reply(page, state, request);
  }

  private static String target(Snapshot snapshot, ObjectKey localQueue) {
    LocalQueue queue = snapshot.localQueue(localQueue);
    String name = queue == null ? null : queue.spec().clusterQueue();
    return name == null ? "" : name;
  }

  /** The tag is of what the reader sees, since a log changes at other times than the queues. */
  private Reply reply(LogPage page, QueueState state, SeeRequest request) {
    ObjectNode document = ViewDocuments.of("Log", state.asOf());
    Instant since = log.since();
    if (since != null) {
      document.put("since", since.toString());
    }
    ArrayNode items = document.putArray("items");
    page.entries().forEach(it -> add(it, items.addObject()));
    if (page.more()) {
      document.put("next", LogCursor.after(page.entries().getLast().entry()).text());
    }
    String tag = ContentTag.of((items.toString() + page.more()).getBytes(UTF_8));
    return request.knows(tag)
        ? Reply.unchanged(tag)
        : Reply.tagged(tag, document.toString().getBytes(UTF_8));
  }

  private static void add(LogPage.Shown shown, ObjectNode item) {
    LogEntry entry = shown.entry();
    item.put("id", entry.id()).put("at", entry.at().toString());
    item.put("namespace", entry.workload().namespace()).put("name", entry.workload().name());
    item.put("step", entry.step().text()).put("reason", entry.reason());
    item.put("localQueue", entry.localQueue()).put("clusterQueue", shown.clusterQueue());
    if (!entry.by().isEmpty()) {
      ObjectNode preemptor = item.putObject("preemptor");
      ObjectKey name = shown.preemptor();
      if (name == null) {
        ViewDocuments.addHidden(1, preemptor);
      } else {
        ViewDocuments.addName(name, preemptor);
      }
    }
  }
}
