package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.Commands;
import dev.sluice.cli.Commands.Ran;
import dev.sluice.quota.recording.Event;
import dev.sluice.quota.recording.RecordedEvent;
import dev.sluice.quota.recording.RecordedOutcome;
import dev.sluice.quota.recording.SegmentHeader;
import dev.sluice.scheduler.recorder.RecordingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** What the recordings of schedulers that were killed are good for afterwards. */
final class Incidents {
  private final List<Path> recordings;
  private final Path folder;

  /**
   * Of those recordings.
   *
   * @param folder where scenarios are written
   */
  Incidents(List<Path> recordings, Path folder) {
    this.recordings = List.copyOf(recordings);
    this.folder = folder;
  }

  private record Incident(Path recording, ObjectKey workload, Instant at, boolean preempts) {
    String around() {
      return "--around=" + workload + "@" + at;
    }
  }

  /** Every decision is made again, and is the same. */
  void requireTheSameDecisions() {
    for (Path recording : recordings) {
      Ran ran = Commands.run("replay", recording.toString());
      assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
      assertThat(ran.out()).contains("all the same");
    }
  }

  /**
   * Makes tests of decisions, preemptions first, and runs them.
   *
   * @param most how many at most
   * @return how many there were
   */
  int requireScenariosThatPass(int most, Random random) throws IOException {
    List<Incident> all = new ArrayList<>();
    for (Path recording : recordings) {
      all.addAll(read(recording));
    }
    Collections.shuffle(all, random);
    all.sort(Comparator.comparing(it -> !it.preempts())); // stable
    List<Incident> chosen = all.subList(0, Math.min(most, all.size()));
    for (int i = 0; i < chosen.size(); i++) {
      Incident incident = chosen.get(i);
      String scenario = folder.resolve("incident-" + i + ".yaml").toString();
      Ran export =
          Commands.run(
              "replay", incident.recording().toString(), "--export", scenario, incident.around());
      assertThat(export.code()).as("%s: %s", incident, export).isZero();
      Ran test = Commands.run("test", scenario);
      assertThat(test.code()).as("%s: %s", incident, test).isZero();
    }
    return chosen.size();
  }

  private static List<Incident> read(Path recording) throws IOException {
    List<Incident> found = new ArrayList<>();
    new RecordingReader()
        .read(
            recording,
            new RecordingReader.Visitor() {
              @Override
              public void segment(Path file, SegmentHeader header, boolean continues) {
                // only the decisions count
              }

              @Override
              public boolean event(Path file, RecordedEvent event) {
                if (event.event() instanceof Event.Cycled(var outcomes)) {
                  outcomes.forEach(it -> found.add(incident(recording, event.at(), it)));
                }
                return true;
              }
            });
    return found;
  }

  private static Incident incident(Path recording, Instant at, RecordedOutcome outcome) {
    boolean preempts = outcome.decision().startsWith("Preempting");
    return new Incident(recording, outcome.workload(), at, preempts);
  }
}
