package dev.sluice.scheduler.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.core.Namespace;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.engine.StatusUpdate.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An elastic Job has grown: its larger slice got quota, so its smaller one ends. The write of that
 * decision fails, and both are taken back, while the engine may run cycles at any moment.
 */
class TakenBackSliceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  private static final ObjectKey SMALL = new ObjectKey("ns", "small");
  private static final ObjectKey GROWN = new ObjectKey("ns", "grown");

  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());

  TakenBackSliceTest() {
    apply(
        Change.upserted(ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'ns'}}")));
    apply(
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{'metadata':{'name':'f'}}")));
    apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'cq'},'spec':{'namespaceSelector':{},'resourceGroups':[{
                'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{
                'name':'cpu','nominalQuota':'4'}]}]}]}}\
                """)));
    apply(
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'lq','namespace':'ns'},'spec':{'clusterQueue':'cq'}}")));
  }

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, JSON.readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static Workload slice(ObjectKey key, int version, int pods, String annotations) {
    return read(
        Workload.class,
        """
        {'metadata':{'name':'%s','namespace':'ns','uid':'uid-of-%s','resourceVersion':'%d',
        'generation':1,'annotations':{%s}},
        'spec':{'queueName':'lq','podSets':[{'name':'main','count':%d,'template':{'spec':{
        'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}\
        """
            .formatted(key.name(), key.name(), version, annotations, pods));
  }

  private void apply(Change change) {
    engine.apply(change, T);
  }

  /** What one cycle decides. */
  private List<StatusUpdate> cycle() {
    return StatusUpdates.of(engine.cycle(T));
  }

  /** The small slice runs, and the grown one was decided on in its place, but not yet stored. */
  private StatusUpdate decideToGrow() {
    apply(Change.upserted(ObjectKind.WORKLOAD, slice(SMALL, 1, 2, "")));
    StatusUpdate small = find(cycle(), GROWN, SMALL).orElseThrow();
    EngineChanges.ofStored(small.after()).forEach(this::apply);
    apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            slice(GROWN, 2, 4, "'kueue.x-k8s.io/workload-slice-replacement-for':'ns/small'")));
    StatusUpdate grown = find(cycle(), SMALL, GROWN).orElseThrow();
    assertEndsTheSmallOne(grown);
    return grown;
  }

  /** The reservation of the one; the other is decided on in no way of its own. */
  private static Optional<StatusUpdate> find(
      List<StatusUpdate> decided, ObjectKey other, ObjectKey slice) {
    assertThat(decided).noneMatch(it -> it.workload().equals(other));
    return decided.stream()
        .filter(it -> it.workload().equals(slice) && it.kind() == Kind.RESERVED)
        .findFirst();
  }

  private static void assertEndsTheSmallOne(StatusUpdate grown) {
    assertThat(grown.then())
        .as("what follows once the grown slice has quota")
        .isNotNull()
        .satisfies(
            then -> {
              assertThat(then.kind()).isEqualTo(Kind.REPLACED);
              assertThat(then.workload()).isEqualTo(SMALL);
            });
  }

  @ParameterizedTest(name = "cycles after change {0}")
  @ValueSource(ints = {0, 1, 2, 3})
  void aSliceThatIsDecidedAgainBetweenTwoChangesStillEndsItsPredecessor(int moments) {
    StatusUpdate lost = decideToGrow();
    List<StatusUpdate> again = new ArrayList<>();
    int moment = 0;

    for (Change change : EngineChanges.ofLost(lost)) {
      apply(change);
      if ((moments & 1 << moment++) != 0) {
        find(cycle(), SMALL, GROWN).ifPresent(again::add);
      }
    }
    find(cycle(), SMALL, GROWN).ifPresent(again::add);

    assertThat(again).singleElement().satisfies(TakenBackSliceTest::assertEndsTheSmallOne);
  }

  @Test
  void whatFollowsIsTakenBackBeforeWhatItFollowsFrom() {
    assertThat(EngineChanges.ofLost(decideToGrow()))
        .containsExactly(
            new Change.StatusWriteFailed(SMALL, "uid-of-small"),
            new Change.StatusWriteFailed(GROWN, "uid-of-grown"));
  }
}
