package dev.sluice.scheduler.trace;

import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.Write;
import dev.sluice.quota.condition.DecisionMessages;
import dev.sluice.quota.decision.CycleResult;
import dev.sluice.quota.decision.Outcome;
import dev.sluice.scheduler.write.Sender;
import dev.sluice.scheduler.write.WriteResult;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Spans of a scheduler: one for each cycle, below it one for each decision, below that one for each
 * write to the Workload that follows. A decision links to the one before it about the same
 * Workload, so that its way through the queue can be walked back. Thread-safe; never waits.
 */
public final class DecisionTraces implements Sender.Listener {
  /** Workloads whose last decision is remembered; of more, those least lately decided are not. */
  private static final int REMEMBERED = 100_000;

  private static final String SCOPE = "dev.sluice.scheduler";
  private static final AttributeKey<String> NAMESPACE =
      AttributeKey.stringKey("k8s.namespace.name");
  private static final AttributeKey<String> WORKLOAD =
      AttributeKey.stringKey("sluice.workload.name");
  private static final AttributeKey<String> CLUSTER_QUEUE =
      AttributeKey.stringKey("sluice.cluster_queue");
  private static final AttributeKey<String> DECISION = AttributeKey.stringKey("sluice.decision");
  private static final AttributeKey<String> REASON = AttributeKey.stringKey("sluice.reason");
  private static final AttributeKey<String> PLACE = AttributeKey.stringKey("sluice.place");
  private static final AttributeKey<Long> LOOK = AttributeKey.longKey("sluice.look");
  private static final AttributeKey<List<String>> WAKE_UPS =
      AttributeKey.stringArrayKey("sluice.wake_ups");
  private static final AttributeKey<Long> HEADS = AttributeKey.longKey("sluice.heads");
  private static final AttributeKey<String> VERB = AttributeKey.stringKey("sluice.write.verb");
  private static final AttributeKey<String> RESULT = AttributeKey.stringKey("sluice.write.result");

  private final @Nullable Tracer tracer;
  private final InstantSource clock;
  private final Map<ObjectKey, Last> lasts;

  /** The last decision about a Workload, and how many there were. */
  private record Last(SpanContext span, long looks) {}

  /** The least recently decided entry is dropped first. */
  private static final class Lasts extends LinkedHashMap<ObjectKey, Last> {
    private static final long serialVersionUID = 1;

    private final int most;

    private Lasts(int most) {
      super(16, 0.75f, true);
      this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<ObjectKey, Last> eldest) {
      return size() > most;
    }
  }

  /**
   * Spans for that telemetry; nothing is done if it is {@link OpenTelemetry#noop()}.
   *
   * @param clock when cycles and writes end
   */
  public DecisionTraces(OpenTelemetry telemetry, InstantSource clock) {
    this(telemetry, clock, REMEMBERED);
  }

  /** The same with a limit of remembered Workloads. */
  DecisionTraces(OpenTelemetry telemetry, InstantSource clock, int remembered) {
    this.lasts = new Lasts(remembered);
    this.tracer = telemetry.equals(OpenTelemetry.noop()) ? null : telemetry.getTracer(SCOPE);
    this.clock = clock;
  }

  /** A cycle took that long, until now. */
  public void cycled(CycleResult result, long nanos) {
    if (tracer == null) {
      return;
    }
    Instant end = clock.instant();
    Instant start = end.minusNanos(nanos);
    Span cycle =
        tracer
            .spanBuilder("cycle")
            .setNoParent()
            .setStartTimestamp(start)
            .setAttribute(HEADS, (long) result.outcomes().size())
            .startSpan();
    Context within = Context.root().with(cycle);
    for (Outcome outcome : result.outcomes()) {
      decided(tracer.spanBuilder("decide").setParent(within).setStartTimestamp(start), outcome)
          .end(end);
    }
    cycle.end(end);
  }

  private Span decided(SpanBuilder builder, Outcome outcome) {
    ObjectKey workload = outcome.workload();
    Last last = last(workload);
    if (last != null) {
      builder.addLink(last.span());
    }
    long looks = last == null ? 1 : last.looks() + 1;
    Span span =
        builder
            .setAttribute(NAMESPACE, workload.namespace())
            .setAttribute(WORKLOAD, workload.name())
            .setAttribute(CLUSTER_QUEUE, outcome.clusterQueue())
            .setAttribute(DECISION, outcome.decision().getClass().getSimpleName())
            .setAttribute(REASON, DecisionMessages.of(outcome.decision()))
            .setAttribute(PLACE, outcome.place().name())
            .setAttribute(LOOK, looks)
            .setAttribute(WAKE_UPS, outcome.wakeUps().stream().map(Object::toString).toList())
            .startSpan();
    synchronized (lasts) {
      lasts.put(workload, new Last(span.getSpanContext(), looks));
    }
    return span;
  }

  private @Nullable Last last(ObjectKey workload) {
    synchronized (lasts) {
      return lasts.get(workload);
    }
  }

  /** A write took that long, until now; of interest is one to a Workload that was decided about. */
  @Override
  public void sent(Write write, WriteResult sent, long nanos) {
    if (tracer == null || !write.target().kind().groupKind().equals(ApiKind.WORKLOAD.groupKind())) {
      return;
    }
    Last last = last(new ObjectKey(write.target().namespace(), write.target().name()));
    if (last == null) {
      return;
    }
    Instant end = clock.instant();
    Span span =
        tracer
            .spanBuilder("write")
            .setParent(Context.root().with(Span.wrap(last.span())))
            .setSpanKind(SpanKind.CLIENT)
            .setStartTimestamp(end.minusNanos(nanos))
            .setAttribute(NAMESPACE, write.target().namespace())
            .setAttribute(WORKLOAD, write.target().name())
            .setAttribute(VERB, write.getClass().getSimpleName())
            .setAttribute(RESULT, sent.getClass().getSimpleName())
            .startSpan();
    if (sent instanceof WriteResult.Refused || sent instanceof WriteResult.Unanswered) {
      span.setStatus(StatusCode.ERROR, sent.toString());
    }
    span.end(end);
  }
}
