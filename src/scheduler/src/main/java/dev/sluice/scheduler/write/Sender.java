package dev.sluice.scheduler.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.write.Write;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.api.Connection.Answer;
import dev.sluice.cluster.api.ConnectionException;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Sends writes to the API server, each once and again a few times where the server is busy or does
 * not answer. That is safe: a patch that demands a resourceVersion conflicts with itself, a create
 * exists, a delete finds nothing. Blocks; for any number of threads.
 */
public final class Sender {
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";

  /** Well below the time for which a leader may rely on its Lease. */
  private static final Duration BOUND = Duration.ofSeconds(5);

  /** An API server may wait 30 s for a webhook of others. */
  private static final Duration LONG_BOUND = Duration.ofSeconds(35);

  private static final List<Duration> BOUNDS = List.of(BOUND, BOUND, LONG_BOUND, LONG_BOUND);

  private static final Duration LONGEST_RETRY_AFTER = Duration.ofMinutes(5);
  private static final long FIRST_WAIT = 100;
  private static final long LONGEST_WAIT = 2_000;

  private final Connection connection;
  private final BooleanSupplier leads;
  private final Consumer<Write.Event> events;
  private final Listener listener;
  private final List<Duration> bounds;
  private final AnswerReader answers = new AnswerReader();
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean hasCutOff;

  /** Listens to each call; called on the calling thread and must not block. */
  @FunctionalInterface
  public interface Listener {
    /** A call took that long. */
    void sent(Write write, WriteResult sent, long nanos);

    /** Calls this listener, then the other. */
    default Listener and(Listener other) {
      return (write, sent, nanos) -> {
        sent(write, sent, nanos);
        other.sent(write, sent, nanos);
      };
    }
  }

  /**
   * A sender.
   *
   * @param leads whether this replica may still write; read before each call
   * @param events takes events; must not block
   * @param listener called for every attempt
   */
  public Sender(
      Connection connection,
      BooleanSupplier leads,
      Consumer<Write.Event> events,
      Listener listener) {
    this(connection, leads, events, listener, BOUNDS);
  }

  /**
   * A sender with other bounds.
   *
   * @param bounds how long each attempt may take
   */
  Sender(
      Connection connection,
      BooleanSupplier leads,
      Consumer<Write.Event> events,
      Listener listener,
      List<Duration> bounds) {
    this.connection = connection;
    this.leads = leads;
    this.events = events;
    this.listener = listener;
    this.bounds = List.copyOf(bounds);
  }

  /**
   * A sender whose caller decides when to try again.
   *
   * @param leads whether this replica may still write; read before each call
   */
  public static Sender ofSingleAttempts(Connection connection, BooleanSupplier leads) {
    return new Sender(connection, leads, _ -> {}, (_, _, _) -> {}, List.of(BOUND));
  }

  /**
   * Sends one write. The result is unanswered if any attempt had no answer, even if the next
   * attempt was refused or this replica lost the lead: that says nothing about the earlier attempt.
   */
  public WriteResult send(Write write) {
    if (write instanceof Write.Event event) {
      events.accept(event);
      return new WriteResult.Done(JsonNodeFactory.instance.objectNode());
    }
    WriteResult sent = new WriteResult.NotLeading();
    long wait = FIRST_WAIT;
    for (int attempt = 1; attempt <= bounds.size(); attempt++) {
      WriteResult next = attempt(write, bound(write, attempt));
      boolean isNoAnswer =
          next instanceof WriteResult.Refused || next instanceof WriteResult.NotLeading;
      if (sent instanceof WriteResult.Unanswered && isNoAnswer) {
        return sent;
      }
      sent = next;
      if (!(sent instanceof WriteResult.Unanswered) || (attempt < bounds.size() && !pause(wait))) {
        break;
      }
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
    return sent;
  }

  /**
   * Whether the API server may still carry out a call: one is under way, or was interrupted. If not
   * once this replica has ceased to lead, it stays so.
   */
  public boolean mayStillWrite() {
    return underWay.get() > 0 || hasCutOff; // in this order: a call notes its end before it leaves
  }

  /**
   * A reservation is not waited for longer than at first: the next leader could reserve the same
   * quota meanwhile.
   */
  private Duration bound(Write write, int attempt) {
    boolean mayReserve = write.target().kind().groupKind().equals(ApiKind.WORKLOAD.groupKind());
    return mayReserve ? bounds.getFirst() : bounds.get(attempt - 1);
  }

  private WriteResult attempt(Write write, Duration bound) {
    underWay.incrementAndGet(); // before the lead is read, so that whoever ends it sees the call
    try {
      return leads.getAsBoolean() ? once(write, bound) : new WriteResult.NotLeading();
    } finally {
      underWay.decrementAndGet();
    }
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the caller stops the process
      return false;
    }
  }

  private WriteResult once(Write write, Duration bound) {
    long began = System.nanoTime();
    WriteResult sent;
    try {
      sent = result(write, call(write, bound));
    } catch (ConnectionException e) {
      if (e.reason() == ConnectionException.Reason.INTERRUPTED) {
        hasCutOff = true;
      }
      sent = new WriteResult.Unanswered(String.valueOf(e.getMessage()));
    }
    listener.sent(write, sent, System.nanoTime() - began);
    return sent;
  }

  private Answer call(Write write, Duration bound) {
    String object = Paths.object(write.target());
    return switch (write) {
      case Write.Create create ->
          send(
              "POST",
              Paths.collection(create.target().kind(), create.target().namespace())
                  + manager(create.fieldManager()),
              Connection.JSON,
              create.body(),
              bound);
      case Write.MergePatch patch ->
          send(
              "PATCH",
              object + sub(patch.subresource()) + manager(patch.fieldManager()),
              MERGE,
              demanding(patch),
              bound);
      case Write.Apply apply ->
          send(
              "PATCH",
              object
                  + sub(apply.subresource())
                  + manager(apply.fieldManager())
                  + (apply.force() ? "&force=true" : ""),
              APPLY,
              apply.body(),
              bound);
      case Write.Delete delete -> send("DELETE", object, Connection.JSON, options(delete), bound);
      case Write.Event _ -> throw new IllegalStateException("events are told, not sent");
    };
  }

  private Answer send(String method, String path, String type, JsonNode body, Duration bound) {
    return connection.send(method, path, type, body.toString().getBytes(UTF_8), bound);
  }

  private static String sub(String subresource) {
    return subresource.isEmpty() ? "" : "/" + subresource;
  }

  private static String manager(String fieldManager) {
    return "?fieldManager=" + URLEncoder.encode(fieldManager, UTF_8);
  }

  private static ObjectNode demanding(Write.MergePatch patch) {
    if (patch.resourceVersion() == null) {
      return patch.patch();
    }
    ObjectNode demanding = patch.patch().deepCopy();
    demanding.withObjectProperty("metadata").put("resourceVersion", patch.resourceVersion());
    return demanding;
  }

  private static ObjectNode options(Write.Delete delete) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("propagationPolicy", "Background");
    if (delete.byForce()) {
      options.put("gracePeriodSeconds", 0);
    }
    if (!delete.target().uid().isEmpty()) {
      options.putObject("preconditions").put("uid", delete.target().uid());
    }
    return options;
  }

  private WriteResult result(Write write, Answer answer) {
    if (answer.isSuccess()) {
      return new WriteResult.Done(parsed(answer));
    }
    String message = answer.message();
    return switch (answer.status()) {
      case 404, 410 ->
          write instanceof Write.Delete
              ? new WriteResult.Done(JsonNodeFactory.instance.objectNode())
              : new WriteResult.Missing(message);
      case 409 -> new WriteResult.Conflict(message);
      case 408, 429, 500, 502, 503, 504 ->
          new WriteResult.Unanswered(message, retryAfter(answer), answer.status() == 500);
      default -> new WriteResult.Refused(answer.status(), message);
    };
  }

  /** The API server gives seconds; a date is not understood, and no wish is obeyed for ever. */
  private static Optional<Duration> retryAfter(Answer answer) {
    return answer
        .retryAfter()
        .filter(it -> it.matches("\\d{1,6}"))
        .map(it -> Duration.ofSeconds(Long.parseLong(it)))
        .map(it -> it.compareTo(LONGEST_RETRY_AFTER) < 0 ? it : LONGEST_RETRY_AFTER);
  }

  private JsonNode parsed(Answer answer) {
    try {
      return answers.read(answer.body());
    } catch (IOException e) {
      throw Connection.unreadable(e);
    }
  }
}
