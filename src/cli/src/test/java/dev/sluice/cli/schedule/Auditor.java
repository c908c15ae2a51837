package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.testkit.ApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sees every revision of every Workload of a namespace, and what it must never see: more reserved
 * than there is, or a Workload that gets quota twice. Each Workload asks for one cpu.
 */
final class Auditor implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();

  private final int quota;
  private final Map<String, Boolean> holding = new HashMap<>();
  private final Map<String, Integer> reservations = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();
  private final BufferedReader events;
  private final Thread thread;
  private int most;

  Auditor(ApiClient api, String workloads, int quota) {
    this.quota = quota;
    this.events =
        new BufferedReader(
            new InputStreamReader(
                api.open(workloads + "?watch=1&resourceVersion=0&timeoutSeconds=600"), UTF_8));
    this.thread = Thread.ofVirtual().name("auditor").start(this::follow);
  }

  private void follow() {
    try {
      for (@Nullable String line = events.readLine(); line != null; line = events.readLine()) {
        see(JSON.readTree(line));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private synchronized void see(JsonNode event) {
    JsonNode workload = event.path("object");
    String uid = workload.at("/metadata/uid").asText();
    boolean holds =
        !event.path("type").asText().equals("DELETED")
            && isTrue(workload, "QuotaReserved")
            && !isTrue(workload, "Finished");
    boolean held = Boolean.TRUE.equals(holding.put(uid, holds));
    String name = workload.at("/metadata/name").asText();
    if (holds && !held && reservations.merge(uid, 1, Integer::sum) > 1) {
      breaches.add(name + " got quota twice");
    }
    long reserved = holding.values().stream().filter(it -> it).count();
    most = Math.max(most, Math.toIntExact(reserved));
    if (reserved > quota) {
      breaches.add(reserved + " of " + quota + " reserved after " + name);
    }
  }

  static boolean isTrue(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  /** What must not have happened. */
  synchronized List<String> breaches() {
    return List.copyOf(breaches);
  }

  /** The most that was reserved at a time. */
  synchronized int most() {
    return most;
  }

  /** How many got quota. */
  synchronized int reserved() {
    return reservations.size();
  }

  @Override
  public void close() throws IOException {
    thread.interrupt();
    events.close();
  }
}
