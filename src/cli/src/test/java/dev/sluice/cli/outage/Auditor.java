package dev.sluice.cli.outage;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.testkit.ApiClient;
import dev.sluice.testkit.TestkitException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Sees every revision of every Workload, Job and Pod of some namespaces from now on. A watch that
 * ends goes on where it ended; one that cannot is a breach of its own, for something was missed.
 */
final class Auditor implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Map<String, BiFunction<JsonNode, Boolean, Revision>> KINDS =
      Map.of(
          "/apis/kueue.x-k8s.io/v1beta2/workloads", Revision::ofWorkload,
          "/apis/batch/v1/jobs", Revision::ofJob,
          "/api/v1/pods", Revision::ofPod);

  /** A revision and when it came, by a clock that counts nanoseconds from anywhere. */
  record Seen(Revision revision, long nanos) {}

  private final ApiClient api;
  private final Set<String> namespaces;
  private final List<Thread> threads = new ArrayList<>();

  @GuardedBy("this")
  private final List<Seen> history = new ArrayList<>();

  @GuardedBy("this")
  private final Set<String> jobs = new HashSet<>();

  @GuardedBy("this")
  private final Set<String> ended = new HashSet<>();

  @GuardedBy("this")
  private final List<String> missed = new ArrayList<>();

  private volatile boolean closed;

  Auditor(ApiClient api, Set<String> namespaces) {
    this.api = api;
    this.namespaces = namespaces;
    KINDS.forEach(
        (path, reader) -> {
          String from =
              api.get(path + "?limit=1").orThrow().json().at("/metadata/resourceVersion").asText();
          threads.add(Thread.ofVirtual().start(() -> follow(path, from, reader)));
        });
  }

  private void follow(String path, String from, BiFunction<JsonNode, Boolean, Revision> reader) {
    String seen = from;
    while (!closed) {
      String query = "?watch=1&allowWatchBookmarks=true&timeoutSeconds=3600&resourceVersion=";
      try (BufferedReader events =
          new BufferedReader(new InputStreamReader(api.open(path + query + seen), UTF_8))) {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
          seen = see(JSON.readTree(line), seen, reader);
        }
      } catch (IOException | UncheckedIOException | TestkitException e) {
        if (!closed && String.valueOf(e.getMessage()).contains("410")) {
          miss(path + ": " + e.getMessage());
          return;
        }
      }
    }
  }

  private synchronized String see(
      JsonNode event, String seen, BiFunction<JsonNode, Boolean, Revision> reader)
      throws IOException {
    JsonNode object = event.path("object");
    String type = event.path("type").asText();
    if (type.equals("ERROR")) {
      throw new IOException(object.path("code").asText() + " " + object.path("message").asText());
    }
    if (!type.equals("BOOKMARK")
        && namespaces.contains(object.at("/metadata/namespace").asText())) {
      Revision revision = reader.apply(object, type.equals("DELETED"));
      history.add(new Seen(revision, System.nanoTime()));
      if (revision instanceof Revision.OfJob job) {
        jobs.add(job.name());
      }
      if (revision instanceof Revision.OfJob job && job.complete()) {
        ended.add(job.name());
      }
    }
    return object.at("/metadata/resourceVersion").asText(seen);
  }

  private synchronized void miss(String what) {
    missed.add("revisions were missed: " + what);
  }

  /** How many Jobs are complete. */
  synchronized int complete() {
    return ended.size();
  }

  /** The Jobs that were seen and are not complete. */
  synchronized Set<String> unfinished() {
    Set<String> left = new TreeSet<>(jobs);
    left.removeAll(ended);
    return left;
  }

  /** How many Jobs were seen. */
  synchronized int jobs() {
    return jobs.size();
  }

  /** Everything so far, in the order in which it was stored. */
  synchronized List<Seen> history() {
    List<Seen> sorted = new ArrayList<>(history);
    sorted.sort(Comparator.comparingLong(it -> it.revision().number()));
    return sorted;
  }

  /** Everything about the Jobs that a text names, and their Workloads and Pods; for people. */
  String about(String text) {
    Set<String> named = new HashSet<>();
    StringBuilder story = new StringBuilder();
    for (Seen seen : history()) {
      if (seen.revision() instanceof Revision.OfJob job && text.contains(job.name() + " ")) {
        named.add(job.uid());
      }
      boolean isNamed =
          switch (seen.revision()) {
            case Revision.OfJob job -> named.contains(job.uid());
            case Revision.OfWorkload workload -> named.contains(workload.job());
            case Revision.OfPod pod -> named.contains(pod.job());
          };
      if (isNamed) {
        story.append(seen.nanos() / 1_000_000).append(" ").append(seen.revision()).append('\n');
      }
    }
    return story.toString();
  }

  /** What the history comes to. */
  Laws.Verdict judge(List<QueueNode> trees) {
    return Laws.judge(history().stream().map(Seen::revision).toList(), trees);
  }

  /** What could not be seen. */
  synchronized List<String> missed() {
    return List.copyOf(missed);
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
