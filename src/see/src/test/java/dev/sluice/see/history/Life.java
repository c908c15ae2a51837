package dev.sluice.see.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.api.read.HubObjects;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Reasons;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.ReclaimablePod;
import dev.sluice.api.workload.StatusDetail;
import dev.sluice.api.workload.StatusEditor;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.quota.device.DeviceCatalog;
import dev.sluice.quota.world.WorkloadReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A Workload of pods with one cpu each, its changes, and the lines of a history about it. */
public final class Life {
  public static final FlavorResource PAIR = new FlavorResource("f", "cpu");

  private final WorkloadReader reader = new WorkloadReader(EngineConfiguration.defaults());
  private final List<Transition> lines = new ArrayList<>();
  private final List<Told> told = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");
  private @Nullable WorkloadFacts facts;
  private @Nullable Workload workload;
  private int pods;
  private boolean hidden;

  /** What was known after a version, and all lines until then. */
  public record Told(@Nullable WorkloadFacts facts, List<Transition> linesSoFar) {}

  public Instant now() {
    return now;
  }

  public List<Transition> lines() {
    return lines;
  }

  public List<Step> steps() {
    return lines.stream().map(Transition::step).toList();
  }

  public List<Told> told() {
    return told;
  }

  public Life pass(int seconds) {
    now = now.plusSeconds(seconds);
    return this;
  }

  public Life hide() {
    hidden = true;
    return this;
  }

  public Life show() {
    hidden = false;
    return seeAgain();
  }

  public Life create(int count) {
    pods = count;
    return put(
        read(
            Workload.class,
            """
            {'metadata':{'name':'w','namespace':'a','uid':'u','creationTimestamp':'%s',
            'ownerReferences':[{'apiVersion':'batch/v1','kind':'Job','name':'train-29384756',
            'uid':'j','controller':true}]},'spec':{'queueName':'q','podSets':[{'name':'main',
            'count':%d,'template':{'spec':{'containers':[{'name':'c','resources':{'requests':
            {'cpu':'1'}}}]}}}]}}\
            """
                .formatted(now, count)));
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private Life put(Workload version) {
    workload = version;
    return hidden ? this : seeAgain();
  }

  public Life seeAgain() {
    Workload version = workload();
    WorkloadFacts.Stepped step =
        WorkloadFacts.step(
            facts, reader.read(version, UnaryOperator.identity(), DeviceCatalog.EMPTY), now);
    facts = step.facts();
    lines.addAll(step.lines());
    told.add(new Told(facts, List.copyOf(lines)));
    return this;
  }

  private Workload workload() {
    Workload version = workload;
    if (version == null) {
      throw new IllegalStateException("no Workload (expected: create first)");
    }
    return version;
  }

  /** What is known is forgotten, and read from the lines. */
  public Life restart() {
    facts = null;
    for (Transition line : lines) {
      facts = WorkloadFacts.after(facts, line).orElse(null);
    }
    return this;
  }

  private Life edit(UnaryOperator<StatusEditor> change) {
    Workload version = workload();
    StatusEditor editor = new StatusEditor(version, StatusDetail.COARSE, now);
    return put(version.with(change.apply(editor).build()));
  }

  public Life reserve() {
    Admission admission =
        read(
            Admission.class,
            """
            {'clusterQueue':'cq','podSetAssignments':[{'name':'main','count':%d,
            'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'%d'}}]}\
            """
                .formatted(pods, pods));
    return edit(it -> it.reserve(admission));
  }

  public Life admit() {
    return edit(StatusEditor::admit);
  }

  public Life preempt(String uid) {
    return edit(
        it ->
            it.evict(
                ConditionTypes.PREEMPTED,
                ConditionTypes.PREEMPTED,
                "",
                "Preempted to accommodate a workload (UID: %s, JobUID: x) due to y"
                    .formatted(uid)));
  }

  public Life release() {
    return edit(it -> it.giveBack("Pending", "evicted").requeue(true, "Preempted", ""));
  }

  public Life reclaim(int count) {
    Workload version = workload();
    return put(
        version.with(
            version.status().toBuilder()
                .reclaimablePods(List.of(new ReclaimablePod("main", count)))
                .build()));
  }

  public Life deactivate() {
    Workload version = workload();
    return put(version.with(version.spec().toBuilder().active(false).build()));
  }

  public Life finish() {
    return edit(it -> it.finish(Reasons.SUCCEEDED, "done"));
  }

  /** Some of its transitions, of which some are not seen, in an order that can happen. */
  public Life random(long seed, int count) {
    Random random = new Random(seed);
    create(1 + random.nextInt(5));
    for (int i = 0; i < count; i++) {
      pass(random.nextInt(40));
      hidden = random.nextInt(4) == 0;
      Workload version = workload();
      boolean evicted = version.status().isTrue(ConditionTypes.EVICTED);
      if (!version.status().isTrue(ConditionTypes.QUOTA_RESERVED)) {
        reserve();
      } else if (evicted) {
        release();
      } else if (!version.status().isTrue(ConditionTypes.ADMITTED)) {
        admit();
      } else if (random.nextInt(3) == 0) {
        reclaim(random.nextInt(pods));
      } else if (random.nextInt(8) > 0) {
        preempt("p" + i);
      } else {
        finish();
        break;
      }
    }
    return show();
  }
}
