package dev.sluice.scheduler.trace;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.write.WriteResult;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DecisionTracesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");
  private static final long TOOK = MILLISECONDS.toNanos(3);

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .build();
  private final DecisionTraces traces = new DecisionTraces(telemetry, InstantSource.fixed(T));
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  @BeforeEach
  void aQueueOfFourCores() {
    tell(
        Change.upserted(ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'ns'}}")));
    tell(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR,
            read(ResourceFlavor.class, "{'metadata':{'name':'f'},'spec':{}}")));
    tell(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[{
                'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
                {'name':'cpu','nominalQuota':'4'}]}]}]}}\
                """)));
    tell(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'lq','namespace':'ns'},'spec':{'clusterQueue':'cq'}}")));
  }

  @AfterEach
  void close() {
    telemetry.close();
  }

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private void tell(Change change) {
    engine.apply(change, T);
  }

  private void comes(String name, int cpu) {
    tell(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {'metadata':{'name':'%s','namespace':'ns','uid':'%1$s',
                'creationTimestamp':'2026-11-22T11:00:00Z'},'spec':{'queueName':'lq','active':true,
                'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':[{'name':'c',
                'resources':{'requests':{'cpu':'%d'}}}]}}}]}}\
                """
                    .formatted(name, cpu))));
  }

  private void cycle(DecisionTraces into) {
    into.cycled(engine.cycle(T), TOOK);
  }

  private List<SpanData> spans(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(it -> it.getName().equals(name))
        .toList();
  }

  private static String text(SpanData span, String attribute) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
  }

  private static Write patch(String name) {
    return new Write.MergePatch(
        new ObjectRef(
            new GroupVersionKind("kueue.x-k8s.io", "v1beta2", "Workload"), "ns", name, name),
        "status",
        JsonNodeFactory.instance.objectNode(),
        "kueue-admission",
        "7");
  }

  @Test
  void aDecisionIsASpanBelowItsCycleAndSaysWhatWhereAndWhy() {
    comes("big", 6);
    cycle(traces);

    SpanData cycle = spans("cycle").getFirst();
    SpanData decision = spans("decide").getFirst();
    assertThat(decision.getParentSpanId()).isEqualTo(cycle.getSpanId());
    assertThat(decision.getTraceId()).isEqualTo(cycle.getTraceId());
    assertThat(decision.getEndEpochNanos() - decision.getStartEpochNanos()).isEqualTo(TOOK);
    assertThat(text(decision, "k8s.namespace.name")).isEqualTo("ns");
    assertThat(text(decision, "sluice.workload.name")).isEqualTo("big");
    assertThat(text(decision, "sluice.cluster_queue")).isEqualTo("cq");
    assertThat(text(decision, "sluice.decision")).isEqualTo("Waiting");
    assertThat(text(decision, "sluice.reason")).contains("request > maximum capacity (6 > 4)");
    assertThat(decision.getAttributes().get(AttributeKey.stringArrayKey("sluice.wake_ups")))
        .isNotEmpty();
  }

  @Test
  void aLaterDecisionLinksToTheOneBefore() {
    comes("big", 6);
    cycle(traces);
    comes("big", 3);
    cycle(traces);

    List<SpanData> decisions = spans("decide");
    assertThat(decisions)
        .extracting(it -> text(it, "sluice.decision"))
        .containsExactly("Waiting", "Reserved");
    assertThat(decisions.getFirst().getLinks()).isEmpty();
    assertThat(decisions.getLast().getLinks())
        .extracting(LinkData::getSpanContext)
        .containsExactly(decisions.getFirst().getSpanContext());
    assertThat(decisions.getLast().getAttributes().get(AttributeKey.longKey("sluice.look")))
        .isEqualTo(2);
  }

  @Test
  void aWriteToAWorkloadIsASpanBelowTheDecisionItFollowsFrom() {
    comes("small", 1);
    cycle(traces);
    traces.sent(patch("small"), new WriteResult.Done(JsonNodeFactory.instance.objectNode()), TOOK);

    SpanData write = spans("write").getFirst();
    assertThat(write.getParentSpanId()).isEqualTo(spans("decide").getFirst().getSpanId());
    assertThat(text(write, "sluice.write.verb")).isEqualTo("MergePatch");
    assertThat(text(write, "sluice.write.result")).isEqualTo("Done");
    assertThat(write.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
  }

  @Test
  void aWriteThatNobodyAnsweredIsAnError() {
    comes("small", 1);
    cycle(traces);
    traces.sent(patch("small"), new WriteResult.Unanswered("no connection"), TOOK);

    assertThat(spans("write").getFirst().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(spans("write").getFirst().getStatus().getDescription()).contains("no connection");
  }

  @Test
  void aWriteToWhatWasNeverDecidedAboutIsNotTraced() {
    traces.sent(patch("other"), new WriteResult.Conflict("it changed"), TOOK);

    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void ofMoreWorkloadsThanItRemembersItForgetsTheLeastLatelyDecided() {
    DecisionTraces forgetful = new DecisionTraces(telemetry, InstantSource.fixed(T), 1);
    comes("first", 6);
    cycle(forgetful);
    comes("second", 1);
    cycle(forgetful);
    comes("first", 3);
    cycle(forgetful);

    assertThat(spans("decide"))
        .extracting(it -> text(it, "sluice.workload.name"))
        .containsExactly("first", "second", "first");
    assertThat(spans("decide").getLast().getLinks()).isEmpty();
  }

  @Test
  void withoutAReceiverNothingIsDone() {
    DecisionTraces none = new DecisionTraces(OpenTelemetry.noop(), InstantSource.fixed(T));
    comes("small", 1);
    cycle(none);
    none.sent(patch("small"), new WriteResult.Conflict("it changed"), TOOK);

    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }
}
