package dev.sluice.server.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.see.history.Gap;
import dev.sluice.see.history.HistoryLine;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Transition;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryRecorderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final long BOUND = 1 << 20;
  private static final String CANARY = "do-not-write-this";

  @TempDir private Path folder;
  private final Objects objects = new Objects();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOW);

  /** Workloads as a watch would know them. */
  private static final class Objects implements HistoryRecorder.Known {
    private final Map<ObjectKey, JsonNode> workloads = new ConcurrentHashMap<>();

    @Override
    public boolean isComplete() {
      return true;
    }

    @Override
    public @Nullable JsonNode workload(ObjectKey key) {
      return workloads.get(key);
    }

    @Override
    public Collection<JsonNode> workloads() {
      return workloads.values();
    }
  }

  private HistoryRecorder open(Path where) throws IOException {
    return HistoryRecorder.open(
        where, BOUND, EngineConfiguration.defaults(), objects, _ -> {}, now::get, new Supervisor());
  }

  private HistoryRecorder start() throws IOException {
    return open(folder).start();
  }

  private List<HistoryLine> lines() {
    List<HistoryLine> lines = new ArrayList<>();
    try {
      HistoryFiles.read(folder, lines::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  private List<Step> steps() {
    return lines().stream()
        .filter(Transition.class::isInstance)
        .map(it -> ((Transition) it).step())
        .toList();
  }

  private void awaitSteps(Step... expected) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(steps()).containsExactly(expected));
  }

  private Change running(String name) {
    return upserted(
        name,
        """
        'status':{'conditions':[
        {'type':'QuotaReserved','status':'True','lastTransitionTime':'2026-01-01T11:10:00Z',
         'reason':'QuotaReserved','message':''},
        {'type':'Admitted','status':'True','lastTransitionTime':'2026-01-01T11:11:00Z',
         'reason':'Admitted','message':''}],
        'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'main','count':1,
        'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'1'}}]}}\
        """);
  }

  private Change upserted(String name, String status) {
    String json =
        """
        {'metadata':{'name':'%s','namespace':'a','uid':'uid-%s','annotations':{'x':'%s'},
        'creationTimestamp':'2026-01-01T11:00:00Z'},'spec':{'queueName':'q','podSets':[{'name':
        'main','count':1,'template':{'spec':{'containers':[{'name':'c','env':[{'name':'E','value':
        '%s'}],'resources':{'requests':{'cpu':'1'}}}]}}}]},%s}\
        """
            .formatted(name, name, CANARY, CANARY, status)
            .replace('\'', '"');
    try {
      objects.workloads.put(new ObjectKey("a", name), new ObjectMapper().readTree(json));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Change.upserted(
        ObjectKind.WORKLOAD, HubObjects.read(Workload.class, json.getBytes(UTF_8)));
  }

  @Test
  void writesWhatAWatchSawAndNothingOfPods() throws IOException {
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
      recorder.note(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("a", "w"), "uid-w"));
    }

    assertThat(steps()).containsExactly(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.GONE);
    for (long number : HistoryFiles.numbers(folder)) {
      assertThat(Files.readString(HistoryFiles.path(folder, number))).doesNotContain(CANARY);
    }
  }

  @Test
  void afterARestartTheSameObjectsAreNotCountedAgain() throws IOException {
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
    }
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
      recorder.note(running("late"));
    }

    assertThat(steps())
        .containsExactly(
            Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.QUEUED, Step.RESERVED, Step.ADMITTED);
    assertThat(lines().stream().filter(Gap.class::isInstance)).hasSize(1);
  }

  @Test
  void aQueueThatIsFullIsAGapAndTheObjectsFillIt() throws IOException {
    Change change = running("w");
    running("unseen");
    try (HistoryRecorder recorder = open(folder)) {
      for (int i = 0; i < 70_000; i++) {
        recorder.note(change);
      }
      recorder.start();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(recorder.tracker().unfinished()).hasSize(2));
    }

    assertThat(lines())
        .filteredOn(Gap.class::isInstance)
        .extracting(it -> ((Gap) it).reason())
        .containsExactly(Gap.QUEUE_FULL);
  }

  @Test
  void onceADiskTakesLinesAgainTheObjectsTellWhatIsMissing() throws IOException {
    Path disk = folder.resolve("disk");
    var registry = new SimpleMeterRegistry();
    try (HistoryRecorder recorder = open(disk)) {
      recorder.bindTo(registry);
      Files.delete(disk.resolve("lock"));
      Files.delete(disk);
      Files.createFile(disk); // nothing can be written to a folder that is a file
      recorder.start();
      recorder.note(running("w"));
      awaitStopped(registry, 1);

      Files.delete(disk);
      now.set(NOW.plus(Duration.ofMinutes(2)));
      awaitStopped(registry, 0);
      recorder.note(running("later"));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(recorder.tracker().unfinished()).hasSize(2));
    }

    List<HistoryLine> read = new ArrayList<>();
    HistoryFiles.read(disk, read::add);
    assertThat(read)
        .filteredOn(Transition.class::isInstance)
        .extracting(it -> ((Transition) it).step())
        .containsExactly(
            Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.QUEUED, Step.RESERVED, Step.ADMITTED);
  }

  private static void awaitStopped(SimpleMeterRegistry registry, double expected) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(registry.get("sluice_history_stopped").gauge().value())
                    .isEqualTo(expected));
  }

  @Test
  void whatWentAwayUnseenIsClosedAtTheEndOfWhatWasSeen() throws IOException {
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
    }
    objects.workloads.clear();
    try (HistoryRecorder recorder = start()) {
      awaitSteps(Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.GONE);
      assertThat(recorder.tracker().unfinished()).isEmpty();
    }

    Transition gone = (Transition) lines().getLast();
    assertThat(gone.reason()).isEqualTo(Transition.NOT_SEEN);
    assertThat(gone.at()).isEqualTo(Instant.parse("2026-01-01T11:11:00Z"));
  }

  @Test
  void aQuotaIsWrittenOnlyWhenItChanges() throws IOException {
    Change queue =
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            HubObjects.read(
                ClusterQueue.class,
                """
                {"metadata":{"name":"cq"},"spec":{"cohortName":"c","resourceGroups":[{
                "coveredResources":["cpu"],"flavors":[{"name":"f","resources":[
                {"name":"cpu","nominalQuota":"8"}]}]}]}}\
                """
                    .getBytes(UTF_8)));
    try (HistoryRecorder recorder = start()) {
      recorder.note(queue);
      recorder.note(queue);
    }
    try (HistoryRecorder recorder = start()) {
      recorder.note(queue);
    }

    assertThat(lines().stream().filter(it -> !(it instanceof Gap))).hasSize(1);
  }

  @Test
  void everyLineIsReadAsItWasWritten() throws IOException {
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
    }

    for (HistoryLine line : lines()) {
      assertThat(HistoryJson.read(HistoryJson.write(line))).contains(line);
    }
  }

  @Test
  void pagesEndWithWhatIsHeldNow() throws IOException {
    try (HistoryRecorder recorder = start()) {
      recorder.note(running("w"));
      recorder.note(running("v"));
      awaitSteps(
          Step.QUEUED, Step.RESERVED, Step.ADMITTED, Step.QUEUED, Step.RESERVED, Step.ADMITTED);

      List<String> read = new ArrayList<>();
      HistoryPages.Place place = HistoryPages.Place.START;
      while (place != null) {
        HistoryPages.Page page = recorder.pages().read(place, Instant.EPOCH, 2);
        assertThat(page.lines()).hasSizeLessThanOrEqualTo(2);
        page.lines().forEach(it -> read.add(it.path("step").asText()));
        place = page.next();
      }

      assertThat(read)
          .containsExactly(
              "Queued", "Reserved", "Admitted", "Queued", "Reserved", "Admitted", "Open", "Open");
    }
  }
}
