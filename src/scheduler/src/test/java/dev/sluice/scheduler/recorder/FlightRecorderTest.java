package dev.sluice.scheduler.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.MalformedRecordingException;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.Replay;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.scheduler.engine.EngineLoop;
import dev.sluice.supervision.Supervisor;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightRecorderTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  @TempDir private Path folder;

  private FlightRecorder recorder(Path where) {
    return new FlightRecorder(
        new RecordingOptions(where, RecordingOptions.DEFAULT_BYTES),
        EngineConfiguration.defaults(),
        InstantSource.system(),
        registry,
        new Supervisor());
  }

  private double gaps() {
    return registry.get("sluice.recorder.gaps").counter().count();
  }

  private static <T> T read(Class<T> type, String json) {
    try {
      return HubObjects.read(type, MAPPER.readTree(json.replace('\'', '"')));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static List<Change> queues() {
    return List.of(
        Change.upserted(ObjectKind.NAMESPACE, read(Namespace.class, "{'metadata':{'name':'a'}}")),
        Change.upserted(
            ObjectKind.RESOURCE_FLAVOR, read(ResourceFlavor.class, "{'metadata':{'name':'f'}}")),
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'q'},'spec':{'namespaceSelector':{},'resourceGroups':[{
                'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
                {'name':'cpu','nominalQuota':'3'}]}]}]}}\
                """)),
        Change.upserted(
            ObjectKind.LOCAL_QUEUE,
            read(
                LocalQueue.class,
                "{'metadata':{'name':'l','namespace':'a'},'spec':{'clusterQueue':'q'}}")));
  }

  private static Change workload(int number) {
    return Change.upserted(
        ObjectKind.WORKLOAD,
        read(
            Workload.class,
            """
            {'metadata':{'name':'w%1$d','namespace':'a','uid':'u%1$d','resourceVersion':'%1$d',
            'creationTimestamp':'%2$s'},'spec':{'queueName':'l','podSets':[{'count':1,'template':{
            'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}}]}}\
            """
                .formatted(number + 1, NOW.plusSeconds(number))));
  }

  /** Decides a recording again. */
  private static final class Again implements RecordingReader.Visitor {
    private final Replay replay = new Replay();
    private final List<RecordedEvent> events = new ArrayList<>();
    private final List<Replay.Mismatch> mismatches = new ArrayList<>();
    private final List<SegmentHeader> segments = new ArrayList<>();

    @Override
    public void segment(Path file, SegmentHeader header, boolean continues) {
      segments.add(header);
      replay.begin(header, continues);
    }

    @Override
    public boolean event(Path file, RecordedEvent event) {
      events.add(event);
      Replay.Mismatch mismatch = replay.take(event);
      if (mismatch != null) {
        mismatches.add(mismatch);
      }
      return true;
    }

    static Again of(Path recording) throws IOException {
      var again = new Again();
      new RecordingReader().read(recording, again);
      return again;
    }

    long outcomes() {
      return events.stream()
          .filter(it -> it.event() instanceof Event.Cycled)
          .mapToLong(it -> ((Event.Cycled) it.event()).outcomes().size())
          .sum();
    }
  }

  private void run(int workloads, Path where) {
    var recorder = recorder(where);
    recorder.start();
    try (var loop =
        new EngineLoop(
            new QuotaEngine(EngineConfiguration.defaults()),
            InstantSource.system(),
            EngineLoop.Listener.NONE,
            new Supervisor(),
            recorder)) {
      loop.start();
      queues().forEach(loop::submit);
      loop.decide(true);
      for (int i = 0; i < workloads; i++) {
        loop.submit(workload(i));
      }
      await()
          .atMost(BOUND)
          .until(
              () -> {
                var last = loop.snapshot().state(new ObjectKey("a", "w" + workloads));
                return last != null
                    && (last.holdsQuota() || !loop.snapshot().inadmissible("q").isEmpty());
              });
    }
    recorder.close();
  }

  @Test
  void whatAnEngineLoopDecidesIsDecidedAgain() throws IOException {
    run(20, folder);

    Again again = Again.of(folder);

    assertThat(again.mismatches).isEmpty();
    assertThat(again.outcomes()).isGreaterThanOrEqualTo(4);
    assertThat(again.events.getLast().event()).isInstanceOf(Event.Ended.class);
    assertThat(gaps()).isZero();
  }

  @Test
  void aCycleThatFailedIsOnTheDiskBeforeTheProcessEnds() throws IOException {
    var recorder = recorder(folder);
    recorder.start();
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    recorder.looked(NOW, engine.snapshot(NOW));
    recorder.failed(NOW, new IllegalStateException("no such flavor"));

    Again again = Again.of(folder); // the process may be killed now

    String cause = "java.lang.IllegalStateException: no such flavor";
    assertThat(again.events.getLast().event()).isEqualTo(new Event.Failed(cause));
    assertThat(again.mismatches)
        .extracting(Replay.Mismatch::failure)
        .containsExactly("the recorded cycle failed: " + cause);
    recorder.close();
  }

  @Test
  void aSecondProcessGoesOnInTheSameFolder() throws IOException {
    run(3, folder);
    run(5, folder);

    Again again = Again.of(folder);

    assertThat(again.mismatches).isEmpty();
    assertThat(again.segments).extracting(SegmentHeader::fresh).containsExactly(true, true);
  }

  @Test
  void aProcessThatIsKilledBeforeItsFirstByteSpoilsNoRecording() throws IOException {
    run(3, folder);
    Files.createFile(folder.resolve("29991231T000000000-dead0000-00000.rec"));

    assertThat(Again.of(folder).mismatches).isEmpty();
  }

  @Test
  void aFullQueueStopsTheRecordingUntilTheNextCheckpoint() throws IOException {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    var recorder = recorder(folder);
    recorder.looked(NOW, engine.snapshot(NOW));
    for (Change change : queues()) {
      recorder.applying(NOW, change);
      engine.apply(change, NOW);
    }

    for (int i = 0; i < 70_000; i++) { // nobody takes anything out of the queue
      recorder.cycled(NOW, engine.cycle(NOW));
    }
    assertThat(gaps()).isEqualTo(1);

    recorder.start();
    await()
        .atMost(BOUND)
        .until(
            () -> {
              recorder.looked(NOW, engine.snapshot(NOW));
              return SegmentFiles.in(folder).size() == 2;
            });
    for (int i = 0; i < 5; i++) {
      Change change = workload(i);
      recorder.applying(NOW, change);
      engine.apply(change, NOW);
      recorder.cycled(NOW, engine.cycle(NOW));
    }
    recorder.close();

    Again again = Again.of(folder);
    assertThat(again.mismatches).isEmpty();
    assertThat(again.outcomes()).isEqualTo(4); // the fifth is parked with the one before it
    assertThat(again.segments).extracting(SegmentHeader::fresh).containsExactly(true, false);
    assertThat(gaps()).isEqualTo(1);
  }

  @Test
  void aFolderThatCannotBeWrittenHoldsUpNoDecision() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    run(20, file.resolve("below"));

    assertThat(gaps()).isEqualTo(1);
  }

  @Test
  void theOldestSegmentsMakeRoomForNewOnes() throws IOException {
    var files = new SegmentFiles(new RecordingOptions(folder, RecordingOptions.LEAST_BYTES));
    for (int i = 0; i < 5; i++) {
      files.create(NOW, "run", i).close();
      try (var file = new RandomAccessFile(SegmentFiles.in(folder).getLast().toFile(), "rw")) {
        file.setLength(SegmentFiles.SEGMENT_BYTES);
      }
    }

    assertThat(SegmentFiles.in(folder))
        .extracting(it -> String.valueOf(it.getFileName()))
        .containsExactly(
            "20260131T120000000-run-00002.rec",
            "20260131T120000000-run-00003.rec",
            "20260131T120000000-run-00004.rec");
  }

  @Test
  void aMissingSegmentIsNamed() throws IOException {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    var clock = InstantSource.system();
    long[] nanos = {0};
    var writer =
        new RecordingWriter(
            new SegmentFiles(new RecordingOptions(folder, RecordingOptions.DEFAULT_BYTES)),
            EngineConfiguration.defaults(),
            clock,
            () -> nanos[0],
            _ -> {},
            () -> {});
    for (int i = 0; i < 3; i++) {
      writer.take(
          new Entry.Checkpoint(2 * i + 1, NOW, engine.snapshot(NOW), List.of(), i == 0, false));
      writer.take(new Entry.Looked(2 * i + 2, NOW));
    }
    writer.end();
    assertThat(Again.of(folder).segments).hasSize(3);
    List<Path> files = SegmentFiles.in(folder);

    Files.delete(files.get(1));

    assertThatThrownBy(() -> Again.of(folder))
        .isInstanceOf(MalformedRecordingException.class)
        .hasMessageContaining("segment 1 of run")
        .hasMessageContaining("is missing");
  }

  @Test
  void aCheckpointIsWishedForEveryQuarterOfAnHourInWhichSomethingHappened() throws IOException {
    var engine = new QuotaEngine(EngineConfiguration.defaults());
    long[] nanos = {0};
    var writer =
        new RecordingWriter(
            new SegmentFiles(new RecordingOptions(folder, RecordingOptions.DEFAULT_BYTES)),
            EngineConfiguration.defaults(),
            InstantSource.system(),
            () -> nanos[0],
            _ -> {},
            () -> {});
    writer.take(new Entry.Checkpoint(1, NOW, engine.snapshot(NOW), List.of(), true, false));
    nanos[0] += Duration.ofMinutes(20).toNanos();
    writer.flushIfDue();
    assertThat(writer.takeWish()).isFalse();

    writer.take(new Entry.Looked(2, NOW));
    nanos[0] += Duration.ofSeconds(1).toNanos();
    writer.flushIfDue();

    assertThat(writer.takeWish()).isTrue();
    assertThat(writer.takeWish()).isFalse();
    writer.end();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(1);
    }
  }
}
