package dev.sluice.webhook.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.sluice.supervision.Health;
import dev.sluice.supervision.Readiness;
import dev.sluice.webhook.endpoint.Answer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One page of a plain port.
 *
 * @param path its path, exactly
 * @param isSlow whether finding out takes time: then it is done away from event loops, one page
 *     after the other
 * @param answer what it says now; must be safe to call on any thread
 */
public record Page(String path, boolean isSlow, Supplier<Answer> answer) {
  private static final Logger LOG = LoggerFactory.getLogger(Page.class);

  /** What is below is for callers on this machine only. */
  static final String DEBUG = "/debug/";

  private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  public Page {
    requireNonNull(answer, "answer");
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path: " + path + " (expected: one that begins with /)");
    }
  }

  /** The health of the process, on {@code /healthz}: 200, or 503 with the problems. */
  public static Page health(Supplier<Health> health) {
    return state("/healthz", () -> readiness(health.get()));
  }

  private static Readiness readiness(Health health) {
    return new Readiness(health.isGood(), health.text());
  }

  /** A page that is found out at once: 200 where it is ready, 503 where not, and the sentence. */
  public static Page state(String path, Supplier<Readiness> state) {
    return new Page(path, false, () -> answer(state.get()));
  }

  /** A page that takes time: 200 where all is well, 503 where not, and the sentence. */
  public static Page report(String path, Supplier<Readiness> report) {
    return new Page(path, true, () -> answer(report.get()));
  }

  private static Answer answer(Readiness state) {
    return Answer.sentence(state.ready() ? 200 : 503, state.sentence());
  }

  /** All that is measured, as Prometheus reads it, on {@code /metrics}. */
  public static Page metrics(PrometheusMeterRegistry registry) {
    return new Page(
        "/metrics",
        true,
        () -> new Answer(200, PROMETHEUS_TEXT, List.of(registry.scrape().getBytes(UTF_8))));
  }

  /** The current content, or a sentence if that fails; the log has the reason. */
  Answer show() {
    try {
      return answer.get();
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("path", path).log("a page failed, answering 500");
      return Answer.sentence(500, path + " cannot be shown; the server's log has the reason");
    }
  }
}
