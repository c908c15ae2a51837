package dev.sluice.scheduler.metrics;

import static dev.sluice.scheduler.metrics.MetricsWorld.ALL;
import static dev.sluice.scheduler.metrics.MetricsWorld.condition;
import static dev.sluice.scheduler.metrics.MetricsWorld.holding;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Manager.CustomLabel;
import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.meta.LabelSelector;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page says of queues and Cohorts after one story. */
class QueuesOnPageTest {
  /** Only LocalQueues of one label. */
  private static final MetricSettings GOLD =
      new MetricSettings(
          true,
          true,
          true,
          new LabelSelector(Map.of("tier", "gold"), List.of()),
          true,
          true,
          true,
          true,
          List.of());

  private static final String RESERVED = condition("QuotaReserved", true, "QuotaReserved", 1);
  private static final String ADMITTED = condition("Admitted", true, "Admitted", 2);
  private static final String FINISHED = condition("Finished", true, "Succeeded", 9);

  /** One has quota, one is admitted, one is over, one can never fit, two alike have just come. */
  private static MetricsWorld story(MetricSettings settings) {
    MetricsWorld world = new MetricsWorld(settings);
    world.workload("holds", "500m", holding(RESERVED));
    world.workload("runs", "500m", holding(RESERVED, ADMITTED));
    world.workload("over", "500m", holding(RESERVED, ADMITTED, FINISHED));
    world.workload("huge", "100", "");
    world.metrics().cycled(world.cycle(), 7_000_000);
    world.workload("waits", "250m", "");
    world.workload("waits-too", "250m", "");
    return world;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kueue_pending_workloads{cluster_queue='cq',replica_role='leader',status='active'} 2.0",
        "kueue_pending_workloads{cluster_queue='cq',replica_role='leader',status='inadmissible'}"
            + " 1.0",
        "kueue_pending_scheduling_hashes{cluster_queue='cq',replica_role='leader',"
            + "status='active'} 1.0",
        "kueue_pending_scheduling_hashes{cluster_queue='cq',replica_role='leader',"
            + "status='inadmissible'} 1.0",
        "kueue_finished_workloads{cluster_queue='cq',replica_role='leader'} 1.0",
        "kueue_reserving_active_workloads{cluster_queue='cq',replica_role='leader'} 2.0",
        "kueue_admitted_active_workloads{cluster_queue='cq',replica_role='leader'} 1.0",
        "kueue_unadmitted_workloads{cluster_queue='cq',reason='NoReservation',"
            + "replica_role='leader',underlying_cause='PendingEvaluation'} 2.0",
        "kueue_unadmitted_workloads{cluster_queue='cq',reason='NoReservation',"
            + "replica_role='leader',underlying_cause='ExceedsMaxQuota'} 1.0",
        "kueue_cluster_queue_status{cluster_queue='cq',replica_role='leader',status='active'} 1.0",
        "kueue_cluster_queue_status{cluster_queue='cq',replica_role='leader',status='pending'} 0.0",
        "kueue_cluster_queue_status{cluster_queue='cq',replica_role='leader',"
            + "status='terminating'} 0.0",
        "kueue_cluster_queue_info{cluster_queue='cq',parent_cohort='team',replica_role='leader',"
            + "root_cohort='all'} 1.0",
        "kueue_cluster_queue_resource_pending{cluster_queue='cq',replica_role='leader',"
            + "resource='cpu'} 100.5",
        "kueue_cluster_queue_nominal_quota{cluster_queue='cq',cohort='team',flavor='f',"
            + "replica_role='leader',resource='cpu'} 4.0",
        "kueue_cluster_queue_borrowing_limit{cluster_queue='cq',cohort='team',flavor='f',"
            + "replica_role='leader',resource='cpu'} 1.5",
        "kueue_cluster_queue_lending_limit{cluster_queue='cq',cohort='team',flavor='f',"
            + "replica_role='leader',resource='cpu'} 1.0",
        "kueue_cluster_queue_resource_reservation{cluster_queue='cq',cohort='team',flavor='f',"
            + "replica_role='leader',resource='cpu'} 1.0",
        "kueue_cluster_queue_resource_usage{cluster_queue='cq',cohort='team',flavor='f',"
            + "replica_role='leader',resource='cpu'} 0.5",
        "kueue_cluster_queue_weighted_share{cluster_queue='cq',cohort='team',"
            + "replica_role='leader'} 0.0",
        "kueue_cohort_weighted_share{cohort='team',replica_role='leader'} 0.0",
        "kueue_cohort_info{cohort='team',parent_cohort='all',replica_role='leader',"
            + "root_cohort='all'} 1.0",
        "kueue_cohort_subtree_quota{cohort='all',flavor='f',replica_role='leader',"
            + "resource='cpu'} 1.0",
        "kueue_cohort_subtree_admitted_active_workloads{cohort='all',replica_role='leader'} 1.0",
        "kueue_cohort_subtree_admitted_active_workloads{cohort='team',replica_role='leader'} 1.0",
        "kueue_local_queue_pending_workloads{name='lq',namespace='ns',replica_role='leader',"
            + "status='active'} 2.0",
        "kueue_local_queue_pending_workloads{name='lq',namespace='ns',replica_role='leader',"
            + "status='inadmissible'} 1.0",
        "kueue_local_queue_finished_workloads{name='lq',namespace='ns',replica_role='leader'} 1.0",
        "kueue_local_queue_reserving_active_workloads{name='lq',namespace='ns',"
            + "replica_role='leader'} 2.0",
        "kueue_local_queue_admitted_active_workloads{name='lq',namespace='ns',"
            + "replica_role='leader'} 1.0",
        "kueue_local_queue_status{active='True',name='lq',namespace='ns',replica_role='leader'}"
            + " 1.0",
        "kueue_local_queue_status{active='Unknown',name='lq',namespace='ns',"
            + "replica_role='leader'} 0.0",
        "kueue_local_queue_unadmitted_workloads{cluster_queue='cq',name='lq',namespace='ns',"
            + "reason='NoReservation',replica_role='leader',underlying_cause='ExceedsMaxQuota'}"
            + " 1.0",
        "kueue_local_queue_resource_reservation{flavor='f',name='lq',namespace='ns',"
            + "replica_role='leader',resource='cpu'} 1.0",
        "kueue_local_queue_resource_usage{flavor='f',name='lq',namespace='ns',"
            + "replica_role='leader',resource='cpu'} 0.5",
        "kueue_admission_attempts_total{replica_role='leader',result='inadmissible'} 1.0",
        "kueue_admission_attempt_duration_seconds_bucket{replica_role='leader',"
            + "result='inadmissible',le='0.01'} 1",
        "kueue_admission_cycle_preemption_skips{cluster_queue='cq',replica_role='leader'} 0.0",
        "sluice_queue_oldest_seconds{cluster_queue='cq',replica_role='leader'} 30.0",
        "# TYPE kueue_pending_workloads gauge",
        "# TYPE kueue_admission_attempts_total counter",
        "# TYPE kueue_admission_attempt_duration_seconds histogram",
      })
  void saysHowQueuesAndCohortsAre(String line) {
    assertThat(story(ALL).lines()).contains(line.replace('\'', '"'));
  }

  @Test
  void everyFamilyHasHelp() {
    List<String> lines = story(ALL).lines();

    assertThat(names(lines, "# HELP "))
        .containsExactlyElementsOf(names(lines, "# TYPE "))
        .hasSizeGreaterThan(30);
    assertThat(lines).anyMatch(it -> it.startsWith("kueue_build_info{") && it.contains("Java 25"));
  }

  private static List<String> names(List<String> lines, String start) {
    return lines.stream()
        .filter(it -> it.startsWith(start))
        .map(it -> it.substring(start.length(), it.indexOf(' ', start.length())))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kueue_local_queue_",
        "kueue_cohort_",
        "kueue_cluster_queue_resource_",
        "kueue_cluster_queue_nominal_quota",
        "kueue_cluster_queue_weighted_share",
        "kueue_pending_scheduling_hashes"
      })
  void saysNothingOfWhatAnOperatorDoesNotWantToKnow(String prefix) {
    MetricSettings nothing =
        new MetricSettings(
            false, false, false, LabelSelector.EVERYTHING, false, false, false, false, List.of());

    assertThat(story(nothing).lines()).noneMatch(it -> it.startsWith(prefix));
    assertThat(story(ALL).lines()).anyMatch(it -> it.startsWith(prefix));
  }

  @Test
  void measuresAsThePeerDoesUnlessToldOtherwise() {
    MetricSettings settings = MetricSettings.of(Configuration.defaults("ns"));

    assertThat(settings)
        .isEqualTo(
            new MetricSettings(
                false, false, true, LabelSelector.EVERYTHING, true, true, true, true, List.of()));
  }

  @Test
  void measuresOnlyTheLocalQueuesThatAreSelected() {
    MetricsWorld world = story(GOLD);
    world.localQueue("golden", "cq", "\"tier\":\"gold\"");

    assertThat(world.lines())
        .anyMatch(it -> it.startsWith("kueue_local_queue_status") && it.contains("golden"))
        .noneMatch(it -> it.startsWith("kueue_local_queue_") && it.contains("\"lq\""));
  }

  @Test
  void whatIsGoneHasNoSeries() {
    MetricsWorld world = story(ALL);
    JsonNode before = MetricsWorld.tree(workload(RESERVED));
    world.seen(before, MetricsWorld.tree(workload(RESERVED, ADMITTED)));
    assertThat(world.lines())
        .anyMatch(it -> it.startsWith("kueue_admitted_workloads_total{"))
        .anyMatch(it -> it.startsWith("kueue_local_queue_admitted_workloads_total{"))
        .anyMatch(it -> it.startsWith("kueue_cohort_subtree_admitted_workloads_total{"));

    world.apply(new Change.Deleted(ObjectKind.LOCAL_QUEUE, new ObjectKey("ns", "lq")));
    world.apply(new Change.Deleted(ObjectKind.CLUSTER_QUEUE, new ObjectKey("", "cq")));
    world.apply(new Change.Deleted(ObjectKind.COHORT, new ObjectKey("", "team")));

    assertThat(world.lines())
        .noneMatch(it -> it.contains("\"cq\""))
        .noneMatch(it -> it.contains("\"lq\""))
        .noneMatch(it -> it.contains("\"team\""));
  }

  @Test
  void aLocalQueueThatIsNotSelectedAnyMoreHasNoSeries() {
    MetricsWorld world = story(GOLD);
    world.localQueue("lq", "cq", "\"tier\":\"gold\"");
    JsonNode before = MetricsWorld.tree(workload(RESERVED));
    world.seen(before, MetricsWorld.tree(workload(RESERVED, ADMITTED)));
    assertThat(world.lines())
        .anyMatch(it -> it.startsWith("kueue_local_queue_admitted_workloads_total{"));

    world.localQueue("lq", "cq", "");

    assertThat(world.lines())
        .anyMatch(it -> it.startsWith("kueue_admitted_workloads_total{"))
        .noneMatch(it -> it.startsWith("kueue_local_queue_admitted_workloads_total{"));
  }

  @Test
  void aQueueThatIsMadeAnewCountsFromTheStart() {
    MetricsWorld world = story(ALL);
    JsonNode before = MetricsWorld.tree(workload(RESERVED));
    world.seen(before, MetricsWorld.tree(workload(RESERVED, ADMITTED)));

    world.metrics().gone(ApiKind.CLUSTER_QUEUE.groupKind(), new ObjectKey("", "cq"));

    assertThat(world.lines())
        .noneMatch(it -> it.startsWith("kueue_admitted_workloads_total{"))
        .anyMatch(it -> it.startsWith("kueue_local_queue_admitted_workloads_total{"));
  }

  @Test
  void aStoppedQueueIsPendingAndAllWhoWaitThereAreInadmissible() {
    MetricsWorld world = story(ALL);
    world.clusterQueue("cq", "\"stopPolicy\":\"Hold\"");

    assertThat(world.lines())
        .contains(
            "kueue_pending_workloads{cluster_queue=\"cq\",replica_role=\"leader\","
                + "status=\"inadmissible\"} 3.0",
            "kueue_cluster_queue_status{cluster_queue=\"cq\",replica_role=\"leader\","
                + "status=\"pending\"} 1.0",
            "kueue_local_queue_status{active=\"False\",name=\"lq\",namespace=\"ns\","
                + "replica_role=\"leader\"} 1.0");
  }

  /** With a day sampled and a day to fade by half, a workload counts half of what it asks for. */
  @Test
  void saysByWhichUsageLocalQueuesTakeTurns() {
    AdmissionFairSharing settings =
        new AdmissionFairSharing(Duration.ofDays(1), Duration.ofDays(1), Map.of("cpu", 3.0));
    MetricsWorld world =
        new MetricsWorld(ALL, EngineConfiguration.defaults().withAdmissionFairSharing(settings));
    world.clusterQueue(
        "cq", "\"admissionScope\":{\"admissionMode\":\"UsageBasedAdmissionFairSharing\"}");
    world.workload("asks", "2", "");
    world.cycle();

    assertThat(world.lines())
        .contains(
            "kueue_local_queue_admission_fair_sharing_usage{cluster_queue=\"cq\",name=\"lq\","
                + "namespace=\"ns\",replica_role=\"leader\"} 3.0");
    assertThat(story(ALL).lines())
        .noneMatch(it -> it.startsWith("kueue_local_queue_admission_fair_sharing_usage"));
  }

  @Test
  void takesLabelsFromTheObjectThatASeriesIsAbout() {
    CustomLabel team = new CustomLabel("team", "ClusterQueue", "team", false, List.of());
    CustomLabel tier = new CustomLabel("tier", "LocalQueue", "tier", true, List.of("gold"));
    MetricsWorld world = story(MetricsWorld.with(team, tier));
    world.object(
        ApiKind.CLUSTER_QUEUE,
        "",
        "cq",
        MetricsWorld.tree("{\"metadata\":{\"labels\":{\"team\":\"a\"}}}"));
    world.object(
        ApiKind.LOCAL_QUEUE,
        "ns",
        "lq",
        MetricsWorld.tree("{\"metadata\":{\"annotations\":{\"tier\":\"iron\"}}}"));

    assertThat(world.lines())
        .contains(
            "kueue_finished_workloads{cluster_queue=\"cq\",custom_team=\"a\","
                + "replica_role=\"leader\"} 1.0",
            "kueue_local_queue_finished_workloads{custom_tier=\"other\",name=\"lq\","
                + "namespace=\"ns\",replica_role=\"leader\"} 1.0");
  }

  @Test
  void takesLabelsFromTheWorkloadsThatAreCounted() {
    CustomLabel team = new CustomLabel("team", "Workload", "team", false, List.of("red", "blue"));
    MetricsWorld world = new MetricsWorld(MetricsWorld.with(team));
    assertThat(world.lines())
        .as("nobody is counted")
        .contains(
            "kueue_reserving_active_workloads{cluster_queue=\"cq\",custom_team=\"\","
                + "replica_role=\"leader\"} 0.0");
    world.labelled("red", "\"team\":\"red\"", holding(RESERVED, ADMITTED));
    world.labelled("blue", "\"team\":\"blue\"", holding(RESERVED));
    world.labelled("green", "\"team\":\"green\"", "");

    assertThat(world.lines())
        .contains(
            "kueue_reserving_active_workloads{cluster_queue=\"cq\",custom_team=\"red\","
                + "replica_role=\"leader\"} 1.0",
            "kueue_admitted_active_workloads{cluster_queue=\"cq\",custom_team=\"red\","
                + "replica_role=\"leader\"} 1.0",
            "kueue_admitted_active_workloads{cluster_queue=\"cq\",custom_team=\"blue\","
                + "replica_role=\"leader\"} 0.0",
            "kueue_pending_workloads{cluster_queue=\"cq\",custom_team=\"other\","
                + "replica_role=\"leader\",status=\"active\"} 1.0",
            "kueue_local_queue_pending_workloads{custom_team=\"other\",name=\"lq\","
                + "namespace=\"ns\",replica_role=\"leader\",status=\"active\"} 1.0");

    world.labelled("red", "\"team\":\"blue\"", holding(RESERVED, ADMITTED));
    assertThat(world.lines())
        .as("a label that changes is followed")
        .contains(
            "kueue_admitted_active_workloads{cluster_queue=\"cq\",custom_team=\"blue\","
                + "replica_role=\"leader\"} 1.0")
        .noneMatch(line -> line.contains("custom_team=\"red\""));
  }

  @Test
  void countsByTheLabelsOfTheWorkloadsThatGotQuota() {
    CustomLabel team = new CustomLabel("team", "Workload", "team", true, List.of("red"));
    MetricsWorld world = new MetricsWorld(MetricsWorld.with(team));
    String red =
        workload(RESERVED)
            .replace("\"name\":\"w\"", "\"annotations\":{\"team\":\"red\"},\"name\":\"w\"");

    world.seen(MetricsWorld.tree(workload()), MetricsWorld.tree(red));

    assertThat(world.lines())
        .contains(
            "kueue_quota_reserved_workloads_total{cluster_queue=\"cq\",custom_team=\"red\","
                + "priority_class=\"\",replica_role=\"leader\"} 1.0",
            "kueue_local_queue_quota_reserved_workloads_total{custom_team=\"red\",name=\"lq\","
                + "namespace=\"ns\",priority_class=\"\",replica_role=\"leader\"} 1.0");
  }

  private static String workload(String... conditions) {
    return """
    {"metadata":{"name":"w","namespace":"ns"},"spec":{"queueName":"lq"},"status":{%s}}\
    """
        .formatted(holding(conditions));
  }

  @Test
  void countsWorkloadsWhosePlacesCannotBe() {
    MetricsWorld world = story(ALL);
    String impossible =
        "sluice_impossible_placements{cluster_queue=\"cq\",replica_role=\"leader\"} ";
    assertThat(world.lines()).contains(impossible + "0.0");

    world.workload(
        "bad",
        "500m",
        holding(RESERVED)
            .replace(
                "\"count\":1,",
                "\"count\":1,\"topologyAssignment\":{\"levels\":[\"h\"],\"slices\":[{"
                    + "\"domainCount\":1,\"valuesPerLevel\":[{\"universal\":\"a\"}],"
                    + "\"podCounts\":{\"universal\":2147483647}}]},"));

    assertThat(world.lines()).contains(impossible + "1.0");
  }

  @Test
  void theSeriesOfQueuesAndCohortsStayWhileCohortsFormACircle() {
    MetricsWorld world = story(ALL);
    List<String> before = quotaSeries(world);

    world.cohort("all", "team");

    assertThat(quotaSeries(world))
        .containsAll(before)
        .anyMatch(line -> line.startsWith("kueue_cluster_queue_nominal_quota"))
        .anyMatch(line -> line.startsWith("kueue_cohort_subtree_quota{cohort='team'"));
  }

  private static List<String> subtreeQuotas(MetricsWorld world) {
    return world.lines().stream()
        .map(line -> line.replace('"', '\''))
        .filter(line -> line.startsWith("kueue_cohort_subtree_quota{"))
        .map(line -> line.replaceAll(".*cohort='([^']*)'.*\\} ", "$1 "))
        .toList();
  }

  /** Each ClusterQueue lends one core. */
  @Test
  void aCohortThatIsDeletedBesideAnotherIsNotCountedAbove() {
    MetricsWorld world = story(ALL);
    world.cohort("other", "all");
    world.clusterQueue("beside", "\"cohortName\":\"other\"");
    assertThat(subtreeQuotas(world)).containsExactlyInAnyOrder("all 2.0", "team 1.0", "other 1.0");

    world.apply(new Change.Deleted(ObjectKind.COHORT, new ObjectKey("", "other")));

    assertThat(subtreeQuotas(world)).containsExactlyInAnyOrder("all 1.0", "team 1.0", "other 1.0");
  }

  @Test
  void nothingIsCountedAboveACohortThatIsDeletedBetween() {
    MetricsWorld world = story(ALL);
    world.cohort("all", "top");
    assertThat(subtreeQuotas(world)).containsExactlyInAnyOrder("top 1.0", "all 1.0", "team 1.0");

    world.apply(new Change.Deleted(ObjectKind.COHORT, new ObjectKey("", "team")));

    assertThat(subtreeQuotas(world)).containsExactly("team 1.0");
    assertThat(world.lines())
        .filteredOn(line -> line.contains("cohort=\"all\"") || line.contains("cohort=\"top\""))
        .filteredOn(line -> line.contains("quota") || line.contains("reservations"))
        .isEmpty();
  }

  /** The names and labels of what is said of quotas, but for where the root is. */
  private static List<String> quotaSeries(MetricsWorld world) {
    return world.lines().stream()
        .map(line -> line.replace('"', '\''))
        .filter(line -> line.contains("_quota{") || line.contains("_limit{"))
        .map(line -> line.substring(0, line.indexOf('}')))
        .toList();
  }
}
