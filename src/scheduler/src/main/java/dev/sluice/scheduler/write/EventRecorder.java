package dev.sluice.scheduler.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.Messages;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.ConnectionException;
import dev.sluice.supervision.Heartbeat;
import dev.sluice.supervision.SupervisedThread;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events of the API for users. Each is one call to the API server, so the rate is limited: a
 * burst is written completely, and of more only a part; dropped events are counted. Callers never
 * wait.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final GroupVersionKind EVENT =
      new GroupVersionKind("events.k8s.io", "v1", "Event");
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
  private static final Duration BOUND = Duration.ofSeconds(5);
  private static final int LONGEST = 1024;
  private static final int WAITING = 1_000;

  /** The longest that telling one may take. */
  private static final Duration DEADLINE = Duration.ofMinutes(1);

  private record Told(Write.Event event, Instant at) {}

  private final Connection connection;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final String instance;
  private final BlockingQueue<Told> waiting = new ArrayBlockingQueue<>(WAITING);
  private final Counter dropped;
  private final EventBudget budget;
  private final SupervisedThread thread;

  /** An event that failed once and is retried; used by the thread only. */
  private @Nullable Told again;

  /**
   * Starts the thread.
   *
   * @param instance the name of this replica
   */
  public EventRecorder(
      Connection connection,
      InstantSource clock,
      RandomGenerator random,
      String instance,
      MeterRegistry registry,
      Supervisor supervisor) {
    this.connection = connection;
    this.clock = clock;
    this.random = random;
    this.instance = instance;
    this.budget = new EventBudget(System.nanoTime());
    this.dropped =
        Counter.builder("sluice.events.dropped")
            .description("Events that were dropped because of the rate limit")
            .register(registry);
    this.thread =
        supervisor.part("events").thread(Thread.ofVirtual(), DEADLINE, this::step).start();
  }

  /** Tells it soon, or never. */
  public void record(Write.Event event) {
    if (!budget.allows(System.nanoTime()) || !waiting.offer(new Told(event, clock.instant()))) {
      dropped.increment();
    }
  }

  private boolean step(Heartbeat heart) throws InterruptedException {
    heart.rest();
    Told known = again;
    Told told = known == null ? waiting.take() : known;
    heart.beat();
    again = known == null ? told : null; // one that fails twice must not stop the others
    try {
      send(told);
    } catch (ConnectionException e) {
      LOG.debug("an event could not be written and is dropped: {}", e.getMessage());
    }
    again = null;
    return true;
  }

  private void send(Told told) {
    Write.Event event = told.event();
    String namespace = event.target().namespace();
    String in = namespace.isEmpty() ? "default" : namespace;
    byte[] body = body(told, in).toString().getBytes(UTF_8);
    Connection.Answer answer =
        connection.send("POST", Paths.collection(EVENT, in), Connection.JSON, body, BOUND);
    if (!answer.isSuccess()) {
      LOG.debug("an event could not be written and is dropped: {}", answer.message());
    }
  }

  private ObjectNode body(Told told, String namespace) {
    Write.Event event = told.event();
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", EVENT.apiVersion()).put("kind", EVENT.kind());
    body.putObject("metadata")
        .put("name", "%s.%016x".formatted(event.target().name(), random.nextLong()))
        .put("namespace", namespace);
    body.put("eventTime", MICROS.format(told.at()))
        .put("type", event.type())
        .put("reason", event.reason())
        .put("action", event.reason())
        .put("note", Messages.cut(event.message(), LONGEST))
        .put("reportingController", event.reporter())
        .put("reportingInstance", instance);
    ObjectRef target = event.target();
    body.putObject("regarding")
        .put("apiVersion", target.kind().apiVersion())
        .put("kind", target.kind().kind())
        .put("namespace", target.namespace())
        .put("name", target.name())
        .put("uid", target.uid());
    return body;
  }

  @Override
  public void close() {
    thread.close(Duration.ZERO);
  }
}
