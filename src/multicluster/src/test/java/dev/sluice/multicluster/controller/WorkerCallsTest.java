package dev.sluice.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.multicluster.apiserver.MemoryApiServer;
import dev.sluice.multicluster.apiserver.MemoryApiServer.Answer;
import dev.sluice.multicluster.apiserver.MemoryObjects;
import dev.sluice.multicluster.controller.WorkerCalls.Outcome;
import dev.sluice.multicluster.protocol.Presence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerCallsTest {
  private static final GroupVersionKind JOB = new GroupVersionKind("batch", "v1", "Job");
  private static final GroupKind JOBS = JOB.groupKind();

  @TempDir private Path folder;
  private Clusters clusters;
  private Clusters.WorkerSide worker;
  private WorkerCalls calls;

  @BeforeEach
  void aWorker() {
    clusters = new Clusters(folder);
    worker = clusters.worker("a");
    calls = new WorkerCalls(worker.view(), () -> clusters.leads);
  }

  @AfterEach
  void itEnds() {
    clusters.close();
  }

  private MemoryApiServer server() {
    return worker.server();
  }

  private Outcome ask() {
    return calls.ask(JOB, "ns", "j");
  }

  private Presence presence() {
    return worker.view().presence(JOBS, "ns", "j");
  }

  private static Write create() {
    ObjectNode body = MemoryObjects.tree(Clusters.copy("j", "us"));
    return new Write.Create(new ObjectRef(JOB, "ns", "j", ""), body, "test");
  }

  @Test
  void anAnswerIsKnownFromThenOn() {
    assertThat(presence()).isEqualTo(Presence.unlisted());
    assertThat(ask()).isEqualTo(new Outcome.Done());
    assertThat(presence()).isEqualTo(Presence.absent());

    // without our label no watch shows it
    server().objects().put(Clusters.JOBS, "{'metadata': {'name': 'j', 'namespace': 'ns'}}");
    assertThat(ask()).isEqualTo(new Outcome.Done());
    assertThat(presence().object()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502, 503, 504})
  void aWorkerThatCannotAtTheMomentHasNotAnswered(int status) {
    server().answer("GET " + Clusters.JOBS, Answer.of(status, "later"));

    assertThat(ask()).isEqualTo(new Outcome.Unanswered("later", Optional.empty()));
  }

  @Test
  void itSaysHowLongItWantsToBeLeftAlone() {
    server()
        .answer(
            "GET " + Clusters.JOBS,
            new Answer(429, Map.of("Retry-After", "7"), "{\"message\":\"too many\"}"));

    assertThat(ask())
        .isEqualTo(new Outcome.Unanswered("too many", Optional.of(Duration.ofSeconds(7))));
  }

  @Test
  void aMissingRightIsToldWithVerbAndResource() {
    server().answer("GET " + Clusters.JOBS, Answer.of(403, "you may not"));
    server().answer("POST " + Clusters.JOBS, Answer.of(403, "you may not"));

    assertThat(((Outcome.Refused) ask()).reason().text())
        .isEqualTo("get jobs.batch refused: you may not");
    assertThat(((Outcome.Refused) calls.send(create())).reason().text())
        .isEqualTo("create jobs.batch refused: you may not");
  }

  @Test
  void whatIsNoJsonIsNoAnswer() {
    server().answer("GET " + Clusters.JOBS, new Answer(200, Map.of(), "<html>"));

    assertThat(ask()).isInstanceOf(Outcome.Unanswered.class);
    assertThat(presence()).isEqualTo(Presence.unlisted());
  }

  @Test
  void aServerThatIsGoneHasNotAnswered() {
    server().close();

    assertThat(ask()).isInstanceOf(Outcome.Unanswered.class);
    assertThat(calls.send(create())).isInstanceOf(Outcome.Unanswered.class);
  }

  @Test
  void whatWasCreatedIsKnownBeforeAWatchShowsIt() {
    assertThat(calls.send(create())).isEqualTo(new Outcome.Done());

    assertThat(presence().object()).isPresent();
  }

  @Test
  void aNameThatIsTakenIsAskedFor() {
    server()
        .objects()
        .put(Clusters.JOBS, "{'metadata': {'name': 'j', 'namespace': 'ns', 'uid': 'theirs'}}");

    assertThat(calls.send(create())).isEqualTo(new Outcome.Outdated());
    assertThat(WorkerCalls.uid(presence().object().orElseThrow())).isEqualTo("theirs");
  }

  @Test
  void aCreateWhoseAnswerWasLostIsFoundByTheNextQuestion() {
    server()
        .with(
            call -> {
              if (call.startsWith("POST ")) {
                server().objects().put(Clusters.JOBS, Clusters.copy("j", "us"));
                return Optional.of(Answer.of(504, "no answer"));
              }
              return Optional.empty();
            });

    assertThat(calls.send(create())).isInstanceOf(Outcome.Unanswered.class);
    server().mend();
    assertThat(calls.send(create())).isEqualTo(new Outcome.Outdated());
    assertThat(presence().object()).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "unable to create: ns is forbidden because it is being terminated"})
  void aNamespaceThatIsNotThereIsTold(String terminating) {
    server()
        .answer(
            "POST ",
            terminating.isEmpty() ? Answer.of(404, "ns not found") : Answer.of(403, terminating));

    assertThat(((Outcome.Refused) calls.send(create())).reason().text())
        .isEqualTo(
            terminating.isEmpty() ? "namespace ns is not there" : "namespace ns is terminating");
  }

  @Test
  void aPatchForAnEarlierVersionIsOutdated() {
    server().objects().put(Clusters.JOBS, Clusters.copy("j", "us"));
    Write patch =
        new Write.MergePatch(
            new ObjectRef(JOB, "ns", "j", "u"),
            "",
            MemoryObjects.tree("{'spec': {'suspend': false}}"),
            "test",
            "1");

    assertThat(calls.send(patch)).isEqualTo(new Outcome.Outdated());
    assertThat(presence().object().orElseThrow().has("spec")).isFalse();
  }

  @Test
  void aDeletionNamesTheUidAndLeavesANewObjectOfTheName() {
    server().objects().put(Clusters.JOBS, Clusters.copy("j", "us"));
    Write delete = new Write.Delete(new ObjectRef(JOB, "ns", "j", "an earlier one"));

    assertThat(calls.send(delete)).isEqualTo(new Outcome.Outdated());
    assertThat(worker.has(Clusters.JOBS + "/j")).isTrue();
  }

  @Test
  void aReplicaThatDoesNotLeadWritesNothing() {
    clusters.leads = false;

    assertThat(calls.send(create())).isEqualTo(new Outcome.NotLeading());
    assertThat(server().calls("POST ")).isEmpty();
  }
}
