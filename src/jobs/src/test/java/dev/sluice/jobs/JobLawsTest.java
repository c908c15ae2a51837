package dev.sluice.jobs;

import static dev.sluice.jobs.Jobs.KEY;
import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.JobKey;
import dev.sluice.jobs.pod.Pods;
import dev.sluice.jobs.workload.WorkloadView;
import dev.sluice.testkit.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobLawsTest {
  private static final int STEPS = 25;
  private static final int MAX_WRITES = 200;
  private static final JobKey GROUP = JobKey.group("ns", "g");

  static LongStream seeds() {
    return Tier.seeds(25, 150);
  }

  /** Something that happens in a cluster beside what is planned. */
  private interface Happening extends Consumer<TestCluster> {}

  private static List<Happening> story(Random random) {
    List<Happening> story = new ArrayList<>();
    story.add(it -> it.add(Jobs.job("j", 4, 6)));
    IntStream.range(0, STEPS).forEach(_ -> story.add(happening(random)));
    return story;
  }

  private static Happening happening(Random random) {
    int number = 1 + random.nextInt(5);
    return switch (random.nextInt(14)) {
      case 0, 1, 2, 3 -> withWorkload(JobLawsTest::admit);
      case 4 -> withWorkload(it -> Admissions.evict(it, "Preempted", "m"));
      case 5 -> withWorkload(it -> Admissions.evict(it, "ClusterQueueStopped", "m"));
      case 6, 7, 8 -> withJob(Jobs::control);
      case 9 -> withJob(it -> it.withObject("/spec").put("parallelism", number));
      case 10 -> withJob(it -> it.withObject("/spec").put("suspend", number > 2));
      case 11 -> it -> it.workloads().forEach(wl -> it.delete(key(wl)));
      case 12 ->
          withJob(
              it ->
                  it.withObject("/metadata/labels").put("kueue.x-k8s.io/queue-name", "q" + number));
      default -> number == 1 ? JobLawsTest::recreate : withJob(JobLawsTest::progress);
    };
  }

  private static JobKey key(JsonNode workload) {
    return JobKey.of(WorkloadView.KIND, "ns", workload.at("/metadata/name").asText());
  }

  private static void admit(ObjectNode workload) {
    var facts = new WorkloadView(workload);
    if (!facts.hasReservation() && !facts.isFinished()) {
      Admissions.admit(workload);
    }
  }

  private static void progress(ObjectNode job) {
    int done = job.at("/status/succeeded").asInt();
    if (done >= 6) {
      Jobs.complete(job);
    } else if (!job.at("/spec/suspend").asBoolean()) {
      job.withObject("/status").put("succeeded", done + 1);
    }
  }

  private static void recreate(TestCluster cluster) {
    cluster.delete(KEY);
    cluster.add(Jobs.job("j", 4, 6));
  }

  private static Happening withJob(Consumer<ObjectNode> change) {
    return it -> it.change(KEY, change);
  }

  private static Happening withWorkload(Consumer<ObjectNode> change) {
    return it -> it.workloads().stream().findFirst().ifPresent(wl -> it.change(key(wl), change));
  }

  private static void settleByKills(TestCluster cluster, JobKey key) {
    for (int i = 0; i < MAX_WRITES; i++) {
      if (!cluster.sendOne(key)) {
        return;
      }
    }
    throw new AssertionError("does not come to rest: " + cluster.plan(key));
  }

  private static void rest(TestCluster cluster) {
    cluster.settle(KEY);
    cluster.collectGarbage();
    cluster.settle(KEY);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aKillAfterAnyWriteLeadsToTheSameEnd(long seed) {
    TestCluster steady = Jobs.cluster();
    TestCluster killed = Jobs.cluster();

    for (Happening happening : story(new Random(seed))) {
      happening.accept(steady);
      rest(steady);
      happening.accept(killed);
      settleByKills(killed, KEY);
      killed.collectGarbage();
      settleByKills(killed, KEY);

      assertThat(killed.state()).isEqualTo(steady.state());
      assertThat(steady.plan(KEY).writes()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPlanThatComesTooLateDoesNoHarm(long seed) {
    TestCluster steady = Jobs.cluster();
    TestCluster lagging = Jobs.cluster();
    List<Write> late = List.of();

    for (Happening happening : story(new Random(seed))) {
      happening.accept(steady);
      rest(steady);
      happening.accept(lagging);
      List<Write> plan = lagging.plan(KEY).writes();
      rest(lagging);
      sendAll(lagging, late);
      sendAll(lagging, plan);
      late = plan;
      rest(lagging);

      assertThat(lagging.state()).isEqualTo(steady.state());
    }
  }

  private static void sendAll(TestCluster cluster, List<Write> writes) {
    try {
      writes.forEach(cluster::send);
    } catch (TestCluster.Refused e) {
      assertThat(e.getMessage()).as("the first write that is refused ends the plan").isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aJobNeverRunsUnlessItsWorkloadIsAdmitted(long seed) {
    TestCluster cluster = Jobs.cluster();

    for (Happening happening : story(new Random(seed))) {
      happening.accept(cluster);
      rest(cluster);

      JsonNode job = cluster.get(KEY);
      boolean runs = !job.at("/spec/suspend").asBoolean();
      boolean ended = Conditions.isTrue(job, "Complete");
      boolean admitted =
          cluster.workloads().stream().anyMatch(it -> new WorkloadView(it).isAdmitted());
      assertThat(runs && !ended && !admitted).isFalse();
      assertThat(live(cluster)).as("Workloads").isLessThanOrEqualTo(1);
    }
  }

  private static long live(TestCluster cluster) {
    return cluster.workloads().stream().filter(it -> !Conditions.isTrue(it, "Finished")).count();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void stoppingUndoesStarting(long seed) {
    var random = new Random(seed);
    TestCluster cluster = Jobs.cluster();
    ObjectNode job = json(Jobs.job("j", 1 + random.nextInt(4), 4));
    decorate(job, random);
    cluster.add(job.toString());
    cluster.settle(KEY);
    JsonNode before = cluster.get(KEY).path("spec");
    String workload = cluster.onlyWorkloadName();

    cluster.changeWorkload(workload, it -> Admissions.admit(it, 2));
    cluster.settle(KEY);
    if (random.nextBoolean()) {
      cluster.change(KEY, Jobs::control);
    }
    JsonNode running = cluster.get(KEY).path("spec");
    cluster.changeWorkload(workload, it -> Admissions.evict(it, "Preempted", "m"));
    cluster.settle(KEY);
    cluster.change(KEY, Jobs::control);
    cluster.settle(KEY);

    assertThat(running).isNotEqualTo(before);
    assertThat(cluster.get(KEY).path("spec")).isEqualTo(before);
  }

  private static void decorate(ObjectNode job, Random random) {
    ObjectNode template = job.withObject("/spec/template");
    for (String map : List.of("/metadata/labels", "/metadata/annotations", "/spec/nodeSelector")) {
      IntStream.range(0, random.nextInt(3))
          .forEach(i -> template.withObject(map).put("k" + i, "v" + random.nextInt(9)));
    }
    if (random.nextBoolean()) {
      template.withObject("/metadata").remove("annotations");
      template.withObject("/spec").remove("nodeSelector");
    }
    ArrayNode tolerations = template.withObject("/spec").putArray("tolerations");
    tolerations.addObject().put("key", "t" + random.nextInt(3)).put("operator", "Exists");
    if (random.nextBoolean()) {
      template.withObject("/spec").putArray("schedulingGates").addObject().put("name", "mine");
    }
    if (random.nextBoolean() && job.at("/spec/parallelism").asInt() > 1) {
      job.withObject("/metadata/annotations").put("kueue.x-k8s.io/job-min-parallelism", "1");
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void neverUngatesMorePodsOfAGroupThanWereAdmitted(long seed) {
    var random = new Random(seed);
    TestCluster cluster = Jobs.cluster();
    int pods = 0;
    for (int step = 0; step < STEPS; step++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> cluster.add(TestPods.member("g-" + pods++, 3).toString());
        case 2 -> onSome(cluster, random, TestPods::run);
        case 3 ->
            onSome(
                cluster,
                random,
                it -> TestPods.end(it, random.nextBoolean() ? "Failed" : "Succeeded"));
        case 4 ->
            withWorkload(
                    random.nextInt(4) > 0
                        ? JobLawsTest::admit
                        : it -> Admissions.evict(it, "Preempted", "m"))
                .accept(cluster);
        default -> some(cluster, random).ifPresent(cluster::delete);
      }
      cluster.pass(Duration.ofSeconds(1));
      settleByKills(cluster, GROUP);
      cluster.collectGarbage();

      assertThat(cluster.podsOfGroup("ns", "g"))
          .filteredOn(it -> !Pods.isGated(it) && Pods.phase(it).equals("Running"))
          .hasSizeLessThanOrEqualTo(3);
      assertThat(live(cluster)).isLessThanOrEqualTo(1);
    }
  }

  private static Optional<JobKey> some(TestCluster cluster, Random random) {
    List<JsonNode> pods = cluster.podsOfGroup("ns", "g");
    return pods.isEmpty()
        ? Optional.empty()
        : Optional.of(
            TestPods.key(pods.get(random.nextInt(pods.size())).at("/metadata/name").asText()));
  }

  private static void onSome(TestCluster cluster, Random random, Consumer<ObjectNode> change) {
    some(cluster, random).ifPresent(it -> cluster.change(it, change));
  }
}
