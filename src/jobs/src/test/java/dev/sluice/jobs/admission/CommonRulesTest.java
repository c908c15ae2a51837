package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.suspended;
import static dev.sluice.rules.Reviews.faults;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.ValidationResult;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** T-01 and T-03 to T-07: what is asked of jobs of all kinds. */
class CommonRulesTest {
  private static final String QUEUE = "metadata.labels[kueue.x-k8s.io/queue-name]";
  private static final String PRIORITY = "metadata.labels[kueue.x-k8s.io/priority-class]";
  private static final String MAX_TIME = "metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]";
  private static final String PREBUILT_LABEL =
      "metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]";
  private static final String PREBUILT_ANNOTATION =
      "metadata.annotations[kueue.x-k8s.io/prebuilt-workload-name]";
  private static final String ELASTIC = "metadata.annotations[kueue.x-k8s.io/elastic-job]";
  private static final String GATED = "metadata.annotations[kueue.x-k8s.io/admission-gated-by]";

  /** The kinds whose jobs are suspended, and Pods: all to which the shared rules apply. */
  static Stream<String> kinds() {
    return Stream.concat(SampleJobs.suspendable().stream(), Stream.of("pod"));
  }

  /** A job of a kind that has nothing else to refuse. */
  private static JsonNode job() {
    return SampleJobs.of("batch/job");
  }

  private static List<String> sorted(ValidationResult findings) {
    return faults(findings).stream().sorted().distinct().toList();
  }

  @ParameterizedTest(name = "a plain {0} is accepted")
  @MethodSource("kinds")
  void acceptsAPlainJob(String kind) {
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");

    assertThat(EMPTY.onCreate(EMPTY.created(job)).violations()).isEmpty();
    assertThat(EMPTY.onUpdate(job, job).violations()).isEmpty();
  }

  @ParameterizedTest(name = "JC-01 {0} queue {1}")
  @CsvSource({
    "batch/job,Bad_Name",
    "batch/job,''",
    "batch/job,a..b",
    "pod,Bad_Name",
    "jobset.x-k8s.io/jobset,-a",
    "kubeflow.org/mpijob,a-",
    "kubeflow.org/pytorchjob,A",
    "ray.io/raycluster,a_b",
    "ray.io/rayjob,a/b",
    "ray.io/rayservice,.",
    "workload.codeflare.dev/appwrapper,A",
    "sparkoperator.k8s.io/sparkapplication,A",
    "trainer.kubeflow.org/trainjob,A",
    "deployment,A",
    "statefulset,''",
    "leaderworkerset.x-k8s.io/leaderworkerset,A"
  })
  void refusesAQueueNameThatIsNone(String kind, String queue) {
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, queue);

    assertThat(faults(EMPTY.onCreate(job))).containsExactly("INVALID " + QUEUE);
  }

  /** T-01: the label (before, after), the switch (before, after), a default LocalQueue, faults. */
  static Stream<Arguments> queueChanges() {
    var rows = new ArrayList<Arguments>();
    String[][] changes = {{null, "q"}, {"q", "r"}, {"q", null}};
    for (String[] change : changes) {
      for (String states : List.of("SS", "SR", "RS", "RR")) {
        for (boolean hasDefault : List.of(false, true)) {
          rows.add(Arguments.of(change[0], change[1], states, hasDefault));
        }
      }
    }
    return rows.stream();
  }

  @ParameterizedTest(name = "T-01 JU-01 JU-02 {0} to {1}, {2}, default LocalQueue: {3}")
  @MethodSource("queueChanges")
  void letsTheQueueChangeOnlyWhileSuspended(
      @Nullable String before, @Nullable String after, String states, boolean hasDefault) {
    JobScene scene = hasDefault ? EMPTY.withQueue("default") : EMPTY;
    var expected = new ArrayList<String>();
    if (states.endsWith("R")) {
      expected.add("INVALID " + QUEUE);
    }
    if (after == null && hasDefault) {
      expected.add("INVALID " + QUEUE);
    }

    for (String kind : kinds().toList()) {
      JsonNode plain = SampleJobs.of(kind);
      JsonNode old = suspended(labelled(plain, Labels.QUEUE_NAME, before), states.startsWith("S"));
      JsonNode now = suspended(labelled(plain, Labels.QUEUE_NAME, after), states.endsWith("S"));
      if (after == null && (kind.startsWith("ray.io") || kind.startsWith("spark"))) {
        now = labelled(now, "other", "x");
      }

      assertThat(faults(scene.onUpdate(old, now))).as(kind).isEqualTo(expected);
    }
  }

  @ParameterizedTest(name = "T-03 {0} {1} to {2}, suspended: {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "JU-06,-,p,true,false",
        "JU-06,-,p,false,true",
        "JU-07,p,-,true,true",
        "JU-07,p,-,false,true",
        "JU-07,p,'',true,true",
        "JU-08,p,r,true,false",
        "JU-08,p,r,false,false"
      })
  void letsThePriorityClassBeReplacedButNotComeLateOrGo(
      String rule,
      @Nullable String before,
      @Nullable String after,
      boolean isSuspended,
      boolean no) {
    for (String kind : kinds().toList()) {
      JsonNode plain = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");
      JsonNode old = suspended(labelled(plain, Labels.PRIORITY_CLASS, before), isSuspended);
      JsonNode now = suspended(labelled(plain, Labels.PRIORITY_CLASS, after), isSuspended);

      assertThat(faults(EMPTY.onUpdate(old, now)))
          .as(rule + " " + kind)
          .isEqualTo(no ? List.of("INVALID " + PRIORITY) : List.of());
    }
  }

  @ParameterizedTest(name = "T-04 {0} max time {1}")
  @CsvSource({
    "JC-04,abc,true",
    "JC-04,'',true",
    "JC-04,1.5,true",
    "JC-04,' 1',true",
    "JC-04,1_000,true",
    "JC-04,9223372036854775808,true",
    "JC-05,0,true",
    "JC-05,-1,true",
    "JC-05,1,false",
    "JC-05,+1,false",
    "OPP-57,2147483647,false",
    "OPP-57,2147483648,false",
    "OPP-57,9223372036854775807,false"
  })
  void refusesAMaximumTimeThatIsNone(String rule, String value, boolean refused) {
    ValidationResult found = EMPTY.onCreate(labelled(job(), Labels.MAX_EXEC_TIME, value));

    assertThat(faults(found)).isEqualTo(refused ? List.of("INVALID " + MAX_TIME) : List.of());
  }

  @ParameterizedTest(name = "OPP-57 {0}")
  @CsvSource({"2147483647,false", "2147483648,true", "9223372036854775807,true"})
  void warnsOfAMaximumTimeThatIsNotEnforced(String value, boolean warned) {
    List<String> warnings = EMPTY.onCreate(labelled(job(), Labels.MAX_EXEC_TIME, value)).warnings();

    assertThat(warnings.stream().anyMatch(it -> it.startsWith(MAX_TIME))).isEqualTo(warned);
  }

  @ParameterizedTest(name = "T-04 JU-05 {0} to {1}, {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "-,5,SS,false", "-,5,SR,true", "-,5,RS,true", "-,5,RR,true",
        "5,6,SS,false", "5,6,SR,true", "5,6,RS,true", "5,6,RR,true",
        "5,-,SS,false", "5,-,SR,true", "5,-,RS,true", "5,-,RR,true",
        "5,5,RR,false", "5,+5,RR,true"
      })
  void letsTheMaximumTimeChangeOnlyWhileSuspended(
      @Nullable String before, @Nullable String after, String states, boolean refused) {
    for (String kind : kinds().toList()) {
      JsonNode plain = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");
      JsonNode old =
          suspended(labelled(plain, Labels.MAX_EXEC_TIME, before), states.startsWith("S"));
      JsonNode now = suspended(labelled(plain, Labels.MAX_EXEC_TIME, after), states.endsWith("S"));

      assertThat(faults(EMPTY.onUpdate(old, now)))
          .as(kind)
          .isEqualTo(refused ? List.of("INVALID " + MAX_TIME) : List.of());
    }
  }

  /** T-05: label, annotation, whether annotations count, the field that is refused. */
  @ParameterizedTest(name = "T-05 JC-02 label {0}, annotation {1}, gate {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "w,-,true,-",
        "-,w,true,-",
        "w,w,true,-",
        "w,v,true,-",
        "Bad_Name,-,true,label",
        "'',-,true,label",
        "-,'',true,-",
        "'',w,true,-",
        "-,Bad_Name,true,annotation",
        "w,Bad_Name,true,annotation",
        "Bad_Name,w,true,-",
        "-,Bad_Name,false,-",
        "Bad_Name,w,false,label",
        "w,Bad_Name,false,-",
        "-,A23456789a123456789a123456789a123456789a123456789a123456789a1234,false,annotation",
        "-,A23456789a123456789a123456789a123456789a123456789a123456789a123,false,-"
      })
  void refusesAPrebuiltNameThatIsNone(
      @Nullable String label, @Nullable String annotation, boolean gate, @Nullable String where) {
    JobScene scene = gate ? EMPTY : EMPTY.without(FeatureGate.WORKLOAD_IDENTIFIER_ANNOTATIONS);
    JsonNode job =
        annotated(
            labelled(job(), Labels.PREBUILT_WORKLOAD, label), Labels.PREBUILT_WORKLOAD, annotation);
    List<String> expected =
        where == null
            ? List.of()
            : List.of("INVALID " + (where.equals("label") ? PREBUILT_LABEL : PREBUILT_ANNOTATION));

    assertThat(faults(scene.onCreate(job))).isEqualTo(expected);
  }

  /** A JAXJob that comes from a manager of several clusters has one. */
  @ParameterizedTest(name = "T-05 JC-03 OPP-67 {0}")
  @MethodSource("kinds")
  void refusesAPrebuiltWorkloadOfKindsThatMakeTheirs(String kind) {
    boolean refused = kind.equals("sparkoperator.k8s.io/sparkapplication");
    JsonNode job = SampleJobs.of(kind);

    assertThat(faults(EMPTY.onCreate(labelled(job, Labels.PREBUILT_WORKLOAD, "w"))))
        .isEqualTo(refused ? List.of("FORBIDDEN " + PREBUILT_LABEL) : List.of());
    assertThat(faults(EMPTY.onCreate(annotated(job, Labels.PREBUILT_WORKLOAD, "w"))))
        .isEqualTo(refused ? List.of("FORBIDDEN " + PREBUILT_ANNOTATION) : List.of());
  }

  @ParameterizedTest(name = "T-05 {0} {1}/{2} to {3}/{4}, suspended: {5}")
  @CsvSource(
      nullValues = "-",
      value = {
        "JU-04,w,-,v,-,false,label",
        "JU-04,w,-,-,-,false,label",
        "JU-04,-,-,w,-,false,label",
        "JU-04,w,-,-,v,false,annotation",
        "JU-04,w,-,-,w,false,-",
        "JU-04,-,w,w,-,false,-",
        "JU-03,w,-,v,-,true,-",
        "JU-03,-,-,w,-,true,-",
        "JU-03,w,-,Bad_Name,-,true,label"
      })
  void keepsThePrebuiltNameOfAJobThatRuns(
      String rule,
      @Nullable String oldLabel,
      @Nullable String oldAnnotation,
      @Nullable String label,
      @Nullable String annotation,
      boolean isSuspended,
      @Nullable String where) {
    JsonNode old =
        annotated(
            labelled(job(), Labels.PREBUILT_WORKLOAD, oldLabel),
            Labels.PREBUILT_WORKLOAD,
            oldAnnotation);
    JsonNode now =
        annotated(
            labelled(job(), Labels.PREBUILT_WORKLOAD, label), Labels.PREBUILT_WORKLOAD, annotation);
    List<String> expected =
        where == null
            ? List.of()
            : List.of("INVALID " + (where.equals("label") ? PREBUILT_LABEL : PREBUILT_ANNOTATION));

    assertThat(faults(EMPTY.onUpdate(suspended(old, isSuspended), suspended(now, isSuspended))))
        .as(rule)
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "JU-03 an elastic job may change its prebuilt Workload")
  @CsvSource({"w,v", "w,w"})
  void letsAnElasticJobChangeItsPrebuiltWorkload(String before, String after) {
    JsonNode job = annotated(job(), Annotations.ELASTIC_JOB, "true");

    assertThat(
            faults(
                EMPTY.onUpdate(
                    labelled(job, Labels.PREBUILT_WORKLOAD, before),
                    labelled(job, Labels.PREBUILT_WORKLOAD, after))))
        .isEmpty();
  }

  @ParameterizedTest(name = "T-06 JC-07 of {0}")
  @MethodSource("kinds")
  void refusesGatesThatAreNoneOnAllKinds(String kind) {
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "q");

    assertThat(sorted(EMPTY.onCreate(annotated(job, Annotations.ADMISSION_GATED_BY, "no-slash"))))
        .containsExactly("INVALID " + GATED);
    assertThat(
            faults(EMPTY.onCreate(annotated(job, Annotations.ADMISSION_GATED_BY, "example.com/a"))))
        .isEmpty();
    assertThat(
            sorted(
                EMPTY
                    .without(FeatureGate.ADMISSION_GATED_BY)
                    .onCreate(annotated(job, Annotations.ADMISSION_GATED_BY, "no-slash"))))
        .isEmpty();
    assertThat(
            sorted(
                EMPTY.onUpdate(
                    job, annotated(job, Annotations.ADMISSION_GATED_BY, "example.com/a"))))
        .containsExactly("FORBIDDEN " + GATED);
  }

  @ParameterizedTest(name = "T-07 JC-06 {0}")
  @MethodSource("kinds")
  void refusesElasticJobsOfKindsThatCannotBe(String kind) {
    boolean can =
        List.of("batch/job", "ray.io/raycluster", "ray.io/rayjob", "ray.io/rayservice")
            .contains(kind);
    JsonNode job = SampleJobs.of(kind);

    assertThat(faults(EMPTY.onCreate(annotated(job, Annotations.ELASTIC_JOB, "true"))))
        .isEqualTo(can ? List.of() : List.of("FORBIDDEN " + ELASTIC));
    assertThat(faults(EMPTY.onCreate(annotated(job, Annotations.ELASTIC_JOB, "false")))).isEmpty();
    assertThat(
            faults(
                EMPTY
                    .without(FeatureGate.ELASTIC_JOBS_VIA_WORKLOAD_SLICES)
                    .onCreate(annotated(job, Annotations.ELASTIC_JOB, "true"))))
        .isEmpty();
  }

  @ParameterizedTest(name = "T-07 JU-09 {0} to {1}")
  @CsvSource(
      nullValues = "-",
      value = {"-,true,true", "true,-,true", "true,false,true", "-,false,false", "true,true,false"})
  void refusesToBecomeElasticLater(
      @Nullable String before, @Nullable String after, boolean refused) {
    JsonNode old = suspended(annotated(job(), Annotations.ELASTIC_JOB, before), true);
    JsonNode now = suspended(annotated(job(), Annotations.ELASTIC_JOB, after), true);

    assertThat(faults(EMPTY.onUpdate(old, now)))
        .isEqualTo(refused ? List.of("INVALID " + ELASTIC) : List.of());
  }

  @ParameterizedTest(name = "OPP-56 {0}: a new fault is refused, one that is stored is warned of")
  @CsvSource({"pod", "kubeflow.org/tfjob", "workload.codeflare.dev/appwrapper"})
  void appliesTheRulesOfNewJobsToChanges(String kind) {
    JsonNode job = suspended(SampleJobs.of(kind), true);
    JsonNode faulty = labelled(job, Labels.MAX_EXEC_TIME, "abc");

    assertThat(faults(EMPTY.onUpdate(job, faulty))).containsExactly("INVALID " + MAX_TIME);
    assertThat(faults(EMPTY.onUpdate(faulty, annotated(faulty, "x", "y")))).isEmpty();
    assertThat(EMPTY.onUpdate(faulty, annotated(faulty, "x", "y")).warnings())
        .anyMatch(it -> it.startsWith(MAX_TIME));
  }

  @ParameterizedTest(name = "REG-04 {0}")
  @MethodSource("kinds")
  void leavesKindsAloneThatAreOff(String kind) {
    JobScene off = EMPTY.withFrameworks("none").managingAll().withQueue("default");
    JsonNode job = labelled(SampleJobs.of(kind), Labels.QUEUE_NAME, "Bad_Name");

    assertThat(off.created(job)).isEqualTo(job);
    assertThat(off.onCreate(job).refuse()).isFalse();
  }
}
