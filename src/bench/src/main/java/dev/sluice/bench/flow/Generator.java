package dev.sluice.bench.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.bench.engine.Story.Kind;
import dev.sluice.bench.engine.Story.Plot;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ApiClient.Response;
import dev.sluice.controlplane.ControlPlaneException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Creates the workloads of a plot at their times, or as soon as the API server takes them, and does
 * for each what its owner would: lets it run for its time once it is admitted, then finishes it;
 * stops it at once when it is evicted, and gives its quota back. One that was evicted starts over.
 */
final class Generator implements AutoCloseable {
  /** Creates at a time: enough to keep an API server busy, and not so many that all else waits. */
  private static final int CREATES = 16;

  private static final int OTHERS = 64;
  private static final int ATTEMPTS = 50;
  private static final long RETRY_MILLIS = 20;
  private static final String ADMISSION_MANAGER = "kueue-admission";
  private static final String FINISH_MANAGER = "sluice-load-Finished";

  private final ApiClient client;
  private final Plot plot;
  private final Verb verb;
  private final Optional<Hall> hall;
  private final Map<String, Item> parts = new LinkedHashMap<>();
  private final ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final Semaphore creates = new Semaphore(CREATES);
  private final Semaphore others = new Semaphore(OTHERS);
  private final AtomicInteger created = new AtomicInteger();
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicReference<String> failure = new AtomicReference<>("");
  private final ObjectWatch watch;
  private final QuotaUse use;
  private volatile boolean closed;
  private volatile long endedAt;

  Generator(ApiClient client, Plot plot, Verb verb) {
    this.client = client;
    this.plot = plot;
    this.verb = verb;
    this.hall = Hall.of(plot);
    this.use = new QuotaUse((long) plot.cohorts() * plot.queues() * FlowObjects.NOMINAL);
    this.watch = new ObjectWatch(client, FlowObjects.WORKLOADS, this::see, this::fail);
    for (int cohort = 0; cohort < plot.cohorts(); cohort++) {
      for (int queue = 0; queue < plot.queues(); queue++) {
        String name = FlowCluster.queue(cohort, queue);
        plot.kinds().forEach(kind -> add(name, kind));
      }
    }
  }

  private void add(String queue, Kind kind) {
    for (int i = 0; i < kind.count(); i++) {
      String name = queue + "-" + kind.name() + "-" + i;
      parts.put(name, new Item(name, queue, kind));
    }
  }

  /** Starts to watch, and to create. */
  long start() {
    watch.start();
    long began = System.nanoTime();
    use.begin(began);
    Map<String, List<Item>> lines = new LinkedHashMap<>();
    parts
        .values()
        .forEach(
            part ->
                lines
                    .computeIfAbsent(part.queue + " " + part.kind.name(), _ -> new ArrayList<>())
                    .add(part));
    lines.values().forEach(line -> senders.execute(() -> arrive(line, began)));
    return began;
  }

  private String body(Item part) {
    return hall.map(it -> FlowObjects.workload(part.name, part.queue, part.kind, it))
        .orElseGet(() -> FlowObjects.workload(part.name, part.queue, part.kind));
  }

  /** One after the other, none before its time. */
  private void arrive(List<Item> line, long began) {
    long due = began;
    for (Item part : line) {
      long wait = due - System.nanoTime();
      due += part.kind.every().toNanos();
      if (!pause(wait)) {
        return;
      }
      if (!create(part)) {
        return;
      }
      synchronized (part) {
        part.createdAt = System.nanoTime();
      }
      created.incrementAndGet();
    }
  }

  private boolean create(Item part) {
    String body = body(part);
    try {
      Response answer = call(creates, () -> client.create(FlowObjects.WORKLOADS, body));
      if (!answer.isSuccess()) {
        fail("a workload could not be created: " + answer);
      }
      return answer.isSuccess();
    } catch (ControlPlaneException e) {
      fail(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private static boolean pause(long nanos) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // only close interrupts
      return false;
    }
  }

  private Response call(Semaphore inFlight, Supplier<Response> call) {
    inFlight.acquireUninterruptibly();
    try {
      calls.incrementAndGet();
      return call.get();
    } finally {
      inFlight.release();
    }
  }

  private void fail(String why) {
    if (!closed) {
      failure.compareAndSet("", why);
    }
  }

  private void see(JsonNode object) {
    Item part = parts.get(object.at("/metadata/name").asText());
    if (part != null) {
      synchronized (part) {
        see(part, object);
      }
    }
  }

  private void see(Item part, JsonNode object) {
    boolean reserved = false;
    boolean admittedNow = false;
    boolean evicted = false;
    List<String> others = new ArrayList<>();
    for (JsonNode condition : object.at("/status/conditions")) {
      boolean yes = condition.path("status").asText().equals("True");
      switch (condition.path("type").asText()) {
        case "QuotaReserved" -> reserved = yes;
        case "Admitted" -> admittedNow = yes;
        case "Evicted" -> {
          evicted = yes;
          others.add(condition.toString());
        }
        case "Finished" -> part.finished |= yes;
        default -> others.add(condition.toString());
      }
    }
    part.seen = new Item.Seen(object.at("/metadata/resourceVersion").asText(), others);
    long now = System.nanoTime();
    hold(part, reserved && !part.finished, now);
    if (part.finished) {
      ended(part, now);
    } else if (evicted && reserved) {
      evicted(part);
    } else if (admittedNow) {
      admitted(part, now);
    } else if (!reserved) {
      part.releasing = false;
    }
  }

  private void hold(Item part, boolean holds, long now) {
    if (part.holding != holds) {
      part.holding = holds;
      use.change(holds ? part.kind.cpu() : -part.kind.cpu(), now);
    }
  }

  private void ended(Item part, long now) {
    part.running = false;
    if (finished.incrementAndGet() == parts.size()) {
      endedAt = now;
    }
  }

  private void admitted(Item part, long now) {
    if (part.running) {
      return;
    }
    part.running = true;
    if (part.admissions++ == 0) {
      part.admittedAt = now;
      admitted.incrementAndGet();
    }
    part.end =
        clock.schedule(
            () -> senders.execute(() -> finish(part)),
            part.kind.runs().toNanos(),
            TimeUnit.NANOSECONDS);
  }

  private void evicted(Item part) {
    if (part.end != null) {
      part.end.cancel(false);
    }
    if (!part.releasing) {
      part.running = false;
      part.releasing = true;
      part.evictions++;
      senders.execute(() -> release(part));
    }
  }

  private void finish(Item part) {
    String path = FlowObjects.WORKLOADS + "/" + part.name + "/status";
    write(
        part,
        () -> part.running,
        seen ->
            verb == Verb.APPLY
                ? client.serverSideApply(path, FINISH_MANAGER, FlowObjects.finished(part.name))
                : client.mergePatch(path, FlowObjects.finishing(seen)));
  }

  private void release(Item part) {
    String path = FlowObjects.WORKLOADS + "/" + part.name + "/status";
    write(
        part,
        () -> part.releasing,
        seen ->
            verb == Verb.APPLY
                ? client.serverSideApply(
                    path, ADMISSION_MANAGER, FlowObjects.releasedApply(part.name, seen))
                : client.mergePatch(path, FlowObjects.released(seen)));
  }

  private interface Call {
    Response of(Item.Seen seen);
  }

  /** Tries until it is done or there is no need any more. */
  private void write(Item part, Supplier<Boolean> needed, Call call) {
    Response answer = new Response(0, "not asked");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Item.Seen seen;
      synchronized (part) {
        if (!needed.get()) {
          return;
        }
        seen = part.seen;
      }
      try {
        answer = call(others, () -> call.of(seen));
      } catch (ControlPlaneException e) {
        fail(String.valueOf(e.getMessage()));
        return;
      }
      if (answer.isSuccess() || !pause(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS))) {
        return;
      }
    }
    fail(part.name + " could not be written: " + answer);
  }

  int created() {
    return created.get();
  }

  int admitted() {
    return admitted.get();
  }

  int finished() {
    return finished.get();
  }

  int size() {
    return parts.size();
  }

  /** Calls made so far. */
  int calls() {
    return calls.get();
  }

  /** How often the API server ended the watch. */
  int rewatches() {
    return watch.resumptions();
  }

  /** Why it cannot go on; empty if it can. */
  String failure() {
    return failure.get();
  }

  boolean isDone() {
    return endedAt != 0;
  }

  long endedAt() {
    return endedAt;
  }

  Collection<Item> parts() {
    return parts.values();
  }

  /** The share of all nominal quota that was reserved, on average until then. */
  double quotaUse(long until) {
    return use.share(until);
  }

  Plot plot() {
    return plot;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    clock.shutdownNow();
    senders.shutdownNow();
    watch.close();
  }
}
