package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.suspended;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.rules.Denial;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** T-08 to T-10: queue, priority class, suspension and controller, as they are set in all kinds. */
class DefaultsTest {
  static Stream<String> suspendable() {
    return SampleJobs.suspendable().stream();
  }

  static Stream<String> managedElsewhere() {
    return suspendable().filter(it -> !it.startsWith("spark"));
  }

  private static JsonNode job() {
    return SampleJobs.of("batch/job");
  }

  private static JsonNode in(String namespace, JsonNode job) {
    return with(job, "/metadata/namespace", "'" + namespace + "'");
  }

  private static JsonNode ownedBy(JsonNode job, String apiVersion, String kind, String uid) {
    return with(
        job,
        "/metadata/ownerReferences",
        "[{'apiVersion':'%s','kind':'%s','name':'owner','uid':'%s','controller':true}]"
            .formatted(apiVersion, kind, uid));
  }

  private static String queue(JsonNode job) {
    return JobObject.of(job).queueName();
  }

  private static boolean isSuspended(JsonNode job) {
    return suspended(job, true).equals(job);
  }

  @ParameterizedTest(name = "T-08 DEF-LQ owner {0}, namespace {1}, label {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,ns,-,default",
        "-,ns,'',default",
        "-,ns,q,q",
        "-,exempt,-,''",
        "Unmanaged,ns,-,default",
        "JobSet,ns,-,''",
        "External,ns,-,''"
      })
  void setsTheDefaultQueue(
      @Nullable String owner, String namespace, @Nullable String label, String expected) {
    JsonNode job = in(namespace, labelled(job(), Labels.QUEUE_NAME, label));
    if (owner != null) {
      String version =
          switch (owner) {
            case "JobSet" -> "jobset.x-k8s.io/v1alpha2";
            case "External" -> "example.com/v3";
            default -> "example.org/v1";
          };
      job = ownedBy(job, version, owner, "u");
    }
    JobScene scene =
        EMPTY
            .withQueue("default")
            .with(
                "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue',"
                    + "'metadata':{'name':'default','namespace':'exempt'}}");

    assertThat(queue(scene.created(job))).isEqualTo(expected);
  }

  @Test
  void setsNoQueueWhereThereIsNoDefault() {
    assertThat(EMPTY.withQueue("other").created(job())).isEqualTo(job());
  }

  @ParameterizedTest(name = "T-09 DEF-SUS {0}")
  @MethodSource("suspendable")
  void suspendsAJobWithAQueueWhateverItsKind(String kind) {
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");

    assertThat(isSuspended(EMPTY.created(job))).isTrue();
  }

  @ParameterizedTest(name = "T-09 DEF-SUS {0} without queue")
  @MethodSource("suspendable")
  void suspendsAJobWithoutQueueOnlyIfAllAreManaged(String kind) {
    JsonNode job = SampleJobs.of(kind);

    assertThat(EMPTY.created(job)).isEqualTo(job);
    assertThat(isSuspended(EMPTY.managingAll().created(job))).isTrue();
    JsonNode exempt = in("exempt", job);
    assertThat(isSuspended(EMPTY.managingAll().created(exempt))).isFalse();
  }

  @Test
  void opp50LeavesAJobAloneThatWouldNeverBeAdmitted() {
    JsonNode job = in("exempt", labelled(job(), Labels.QUEUE_NAME, "q"));

    assertThat(EMPTY.created(job)).isEqualTo(job);
    assertThat(EMPTY.onCreate(job).warnings())
        .containsExactly(
            "metadata.labels[kueue.x-k8s.io/queue-name]: has no effect:"
                + " jobs in namespace \"exempt\" are not managed");
  }

  @Test
  void opp50LeavesItToItsOwnControllerThoughItsQueueLeadsToOtherClusters() {
    JsonNode job = in("exempt", labelled(job(), Labels.QUEUE_NAME, "q"));
    JobScene scene =
        far(Controllers.MULTI_KUEUE)
            .with(
                "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{'name':'q',"
                    + "'namespace':'exempt'},'spec':{'clusterQueue':'cq'}}");

    assertThat(scene.created(job)).isEqualTo(job);
  }

  @Test
  void opp50HoldsBackNoPodsOfAnElasticJobThatIsLeftAlone() {
    JsonNode job = annotated(in("exempt", job()), Annotations.ELASTIC_JOB, "true");

    assertThat(EMPTY.created(labelled(job, Labels.QUEUE_NAME, "q")))
        .isEqualTo(labelled(job, Labels.QUEUE_NAME, "q"));
    assertThat(EMPTY.created(job)).as("without a queue it is as in Kueue").isNotEqualTo(job);
  }

  @Test
  void leavesASuspendedJobAndOneThatIsBeingStoppedAsTheyAre() {
    JsonNode job = suspended(labelled(job(), Labels.QUEUE_NAME, "q"), true);

    assertThat(EMPTY.created(job)).isEqualTo(job);
    assertThat(
            EMPTY
                .created(annotated(job, Annotations.STOPPING, "true"))
                .at("/spec/suspend")
                .asBoolean())
        .isTrue();
  }

  @Test
  void leavesAnObjectThatIsBeingDeletedAsItIs() {
    JsonNode job =
        with(
            labelled(job(), Labels.QUEUE_NAME, "q"),
            "/metadata/deletionTimestamp",
            "'2026-01-01T00:00:00Z'");

    assertThat(EMPTY.created(job)).isEqualTo(job);
  }

  private static String jobSet(@Nullable String queue) {
    return "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'owner',"
        + "'namespace':'ns','uid':'u-js',"
        + (queue == null ? "" : "'labels':{'kueue.x-k8s.io/queue-name':'" + queue + "'},")
        + "'ownerReferences':[{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper',"
        + "'name':'top','uid':'u-aw','controller':true}]}}";
  }

  private static String appWrapper(@Nullable String queue) {
    return "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{"
        + (queue == null ? "" : "'labels':{'kueue.x-k8s.io/queue-name':'" + queue + "'},")
        + "'name':'top','namespace':'ns','uid':'u-aw'}}";
  }

  /** The table of the ancestor walk: a queue on the JobSet, one on the AppWrapper above it. */
  @ParameterizedTest(name = "T-09 ANC-06 all: {0}, JobSet {1}, AppWrapper {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "false,-,-,true",
        "false,q,-,false",
        "false,-,q,false",
        "false,q,q,false",
        "true,-,-,false",
        "true,q,q,false"
      })
  void followsManagedAncestors(
      boolean all, @Nullable String onJobSet, @Nullable String onTop, boolean suspended) {
    JsonNode child =
        ownedBy(
            labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "u-js");
    JobScene scene = EMPTY.with(jobSet(onJobSet), appWrapper(onTop));

    assertThat(isSuspended((all ? scene.managingAll() : scene).created(child)))
        .isEqualTo(suspended);
  }

  @ParameterizedTest(name = "T-09 ANC-03 JobSet off, AppWrapper {0}")
  @CsvSource(
      nullValues = "-",
      value = {"-,true", "q,false"})
  void walksOnThroughKindsThatAreOff(@Nullable String onTop, boolean suspended) {
    JsonNode child =
        ownedBy(
            labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "u-js");
    JobScene scene =
        EMPTY
            .with(jobSet("q"), appWrapper(onTop))
            .withFrameworks("batch/job", "workload.codeflare.dev/appwrapper");

    assertThat(isSuspended(scene.created(child))).isEqualTo(suspended);
  }

  @Test
  void anc01FollowsOnlyTheOwnerThatControls() {
    JsonNode child =
        with(
            labelled(job(), Labels.QUEUE_NAME, "q"),
            "/metadata/ownerReferences",
            "[{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','name':'gone','uid':'u'}]");

    assertThat(isSuspended(EMPTY.with(jobSet("q")).created(child))).isTrue();
  }

  @Test
  void anc04RefusesAJobWhoseOwnerIsNotThere() {
    JsonNode child =
        ownedBy(labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "u");
    JobScene elsewhere = EMPTY.with(jobSet("q").replace("'owner'", "'other'"));

    Denial denial = elsewhere.creating(child).failure().orElseThrow();

    assertThat(denial.code()).isEqualTo(404);
    assertThat(denial.reason()).isEqualTo("NotFound");
    assertThat(denial.message()).contains("JobSet.jobset.x-k8s.io \"owner\"").contains("\"ns\"");
  }

  @Test
  void anc04IgnoresAnOwnerOfAnUnwatchedKind() {
    JsonNode child =
        ownedBy(labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "u");

    assertThat(isSuspended(EMPTY.created(child))).isTrue();
  }

  @Test
  void anc05StopsAtAnOwnerThatWasReplaced() {
    JsonNode child =
        ownedBy(
            labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "old");

    assertThat(isSuspended(EMPTY.with(jobSet("q")).created(child))).isTrue();
  }

  @Test
  void anc07RefusesOwnersThatGoRoundInACircle() {
    String circle =
        "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'owner',"
            + "'namespace':'ns','uid':'u','ownerReferences':[{'apiVersion':"
            + "'jobset.x-k8s.io/v1alpha2','kind':'JobSet','name':'owner','uid':'u',"
            + "'controller':true}]}}";
    JsonNode child =
        ownedBy(labelled(job(), Labels.QUEUE_NAME, "q"), "jobset.x-k8s.io/v1alpha2", "JobSet", "u");

    assertThat(EMPTY.with(circle).creating(child).failure()).isPresent();
  }

  @ParameterizedTest(name = "ANC-07 {0} ancestors")
  @CsvSource({"10,false", "11,true"})
  void anc07RefusesMoreThanTenAncestors(int count, boolean refused) {
    JobScene scene = EMPTY;
    for (int i = 0; i < count; i++) {
      String above =
          i + 1 < count
              ? ",'ownerReferences':[{'apiVersion':'example.com/v1','kind':'External','name':'e%d',"
                      .formatted(i + 1)
                  + "'uid':'u%d','controller':true}]".formatted(i + 1)
              : "";
      scene =
          scene.with(
              "{'apiVersion':'example.com/v1','kind':'External','metadata':{'name':'%s',"
                      .formatted(i == 0 ? "owner" : "e" + i)
                  + "'namespace':'ns','uid':'u%d'%s}}".formatted(i, above));
    }
    JsonNode child =
        ownedBy(labelled(job(), Labels.QUEUE_NAME, "q"), "example.com/v1", "External", "u0");

    assertThat(scene.creating(child).failure().isPresent()).isEqualTo(refused);
  }

  @ParameterizedTest(name = "DEF-WPC OPP-78 label {0}, queue {1}")
  @CsvSource(
      nullValues = "-",
      value = {"-,q,default", "'',q,default", "p,q,p", "-,-,''"})
  void setsTheDefaultPriorityClassOfManagedJobs(
      @Nullable String label, @Nullable String queue, String expected) {
    JsonNode job =
        labelled(labelled(job(), Labels.PRIORITY_CLASS, label), Labels.QUEUE_NAME, queue);
    JobScene scene = EMPTY.withPriorityClass("default");

    assertThat(JobObject.of(scene.created(job)).labelText(Labels.PRIORITY_CLASS))
        .isEqualTo(expected);
    assertThat(
            JobObject.of(scene.without(FeatureGate.WORKLOAD_PRIORITY_CLASS_DEFAULTING).created(job))
                .labelText(Labels.PRIORITY_CLASS))
        .isEqualTo(label == null ? "" : label);
  }

  private static JobScene far(String controller) {
    return EMPTY
        .withQueue("q")
        .with(
            "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'AdmissionCheck','metadata':{"
                + "'name':'far'},'spec':{'controllerName':'"
                + controller
                + "'}}",
            "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},"
                + "'spec':{'admissionChecksStrategy':{'admissionChecks':[{'name':'far'}]}}}");
  }

  @ParameterizedTest(name = "T-10 DEF-MB {0}")
  @MethodSource("managedElsewhere")
  void namesTheControllerOfOtherClustersInAllKindsThatCan(String kind) {
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");

    assertThat(far(Controllers.MULTI_KUEUE).created(job).findValuesAsText("managedBy"))
        .containsExactly(Controllers.MULTI_KUEUE);
  }

  @ParameterizedTest(name = "T-10 DEF-MB current {0}, queue {1}, check by {2}, gate {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,q,kueue.x-k8s.io/multikueue,true,kueue.x-k8s.io/multikueue",
        "kubernetes.io/job-controller,q,kueue.x-k8s.io/multikueue,true,kueue.x-k8s.io/multikueue",
        "example.com/other,q,kueue.x-k8s.io/multikueue,true,example.com/other",
        "-,unknown,kueue.x-k8s.io/multikueue,true,-",
        "-,-,kueue.x-k8s.io/multikueue,true,-",
        "-,q,example.com/other,true,-",
        "-,q,kueue.x-k8s.io/multikueue,false,-"
      })
  void namesTheControllerOfOtherClusters(
      @Nullable String current,
      @Nullable String queue,
      String controller,
      boolean gate,
      @Nullable String expected) {
    JsonNode job = labelled(job(), Labels.QUEUE_NAME, queue);
    if (current != null) {
      job = with(job, "/spec/managedBy", "'" + current + "'");
    }
    JobScene scene = gate ? far(controller) : far(controller).without(FeatureGate.MULTI_KUEUE);

    assertThat(scene.created(job).findValuesAsText("managedBy"))
        .isEqualTo(expected == null ? List.of() : List.of(expected));
  }

  @Test
  void defEgHoldsBackThePodsOfElasticJobs() {
    JsonNode job = EMPTY.created(annotated(job(), Annotations.ELASTIC_JOB, "true"));

    assertThat(job.at("/spec/template/spec/schedulingGates").findValuesAsText("name"))
        .containsExactly(Annotations.ELASTIC_JOB);
    assertThat(
            EMPTY
                .without(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
                .created(annotated(job(), Annotations.ELASTIC_JOB, "true")))
        .isEqualTo(annotated(job(), Annotations.ELASTIC_JOB, "true"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("suspendable")
  void keepsWhatItDoesNotKnow(String kind) {
    JsonNode job =
        with(labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q"), "/spec/own", "{'x':[]}");

    assertThat(EMPTY.created(job).at("/spec/own/x").isArray()).isTrue();
  }
}
