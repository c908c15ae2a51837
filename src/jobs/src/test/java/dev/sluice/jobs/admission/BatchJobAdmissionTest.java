package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.jobs.admission.JobScene.annotated;
import static dev.sluice.jobs.admission.JobScene.labelled;
import static dev.sluice.jobs.admission.SampleJobs.suspended;
import static dev.sluice.jobs.admission.SampleJobs.with;
import static dev.sluice.rules.Reviews.faults;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchJobAdmissionTest {
  private static final String MIN = "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]";
  private static final String SYNC =
      "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]";

  /** Parallelism 3, completions 5. */
  private static JsonNode job() {
    return SampleJobs.of("batch/job");
  }

  private static JsonNode sized(@Nullable Integer parallelism, @Nullable Integer completions) {
    return with(
        with(job(), "/spec/parallelism", "" + parallelism), "/spec/completions", "" + completions);
  }

  @ParameterizedTest(name = "{0} {1} of {2}/{3} Pods: {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "JOB-01,x,3,5,true",
        "JOB-01,'',3,5,true",
        "JOB-01,1.0,3,5,true",
        "JOB-02,0,3,5,true",
        "JOB-02,-1,3,5,true",
        "JOB-02,1,3,5,false",
        "JOB-02,2,3,5,false",
        "JOB-02,3,3,5,true",
        "JOB-02,2,3,2,true",
        "JOB-02,1,-,-,true",
        "OPP-58,4294967297,3,5,false",
        "OPP-58,4294967296,3,5,true"
      })
  void checksTheSmallestParallelism(
      String rule,
      String value,
      @Nullable Integer parallelism,
      @Nullable Integer completions,
      boolean no) {
    JsonNode job =
        annotated(sized(parallelism, completions), Annotations.JOB_MIN_PARALLELISM, value);
    ValidationResult found = EMPTY.onCreate(job);

    assertThat(faults(found)).as(rule).isEqualTo(no ? List.of("INVALID " + MIN) : List.of());
    assertThat(found.warnings().stream().anyMatch(it -> it.startsWith(MIN)))
        .isEqualTo(value.equals("4294967297"));
  }

  @Test
  void job03RefusesASmallestParallelismOfElasticJobs() {
    JsonNode job = annotated(job(), Annotations.JOB_MIN_PARALLELISM, "2");

    assertThat(faults(EMPTY.onCreate(annotated(job, Annotations.ELASTIC_JOB, "true"))))
        .containsExactly("INVALID " + MIN);
  }

  @Test
  void job02IsCheckedAgainOnlyWhenTheAnnotationChanges() {
    JsonNode old = suspended(annotated(job(), Annotations.JOB_MIN_PARALLELISM, "2"), true);

    assertThat(faults(EMPTY.onUpdate(old, with(old, "/spec/parallelism", "1")))).isEmpty();
    assertThat(
            faults(
                EMPTY.onUpdate(
                    old,
                    annotated(
                        with(old, "/spec/parallelism", "1"),
                        Annotations.JOB_MIN_PARALLELISM,
                        "1"))))
        .containsExactly("INVALID " + MIN);
  }

  @ParameterizedTest(name = "{0} sync {1}, {2}, {3} Pods, {4} completions")
  @CsvSource(
      nullValues = "-",
      value = {
        "JOB-04,2,Indexed,3,3,INVALID annotation",
        "JOB-04,'',Indexed,3,3,INVALID annotation",
        "JOB-05,true,NonIndexed,3,3,INVALID annotation",
        "JOB-05,true,-,3,3,INVALID annotation",
        "JOB-05,0,NonIndexed,3,3,-",
        "JOB-06,true,Indexed,3,5,INVALID spec.completions",
        "JOB-06,T,Indexed,-,-,-",
        "JOB-06,1,Indexed,3,3,-"
      })
  void checksThatCompletionsFollow(
      String rule,
      String value,
      @Nullable String mode,
      @Nullable Integer parallelism,
      @Nullable Integer completions,
      @Nullable String fault) {
    JsonNode job =
        annotated(
            with(
                sized(parallelism, completions),
                "/spec/completionMode",
                mode == null ? "null" : "'" + mode + "'"),
            Annotations.JOB_SYNC_COMPLETIONS,
            value);
    List<String> expected = fault == null ? List.of() : List.of(fault.replace("annotation", SYNC));

    assertThat(faults(EMPTY.onCreate(job))).as(rule).isEqualTo(expected);
    assertThat(faults(EMPTY.onUpdate(job, job))).as(rule).isEqualTo(expected);
  }

  @ParameterizedTest(name = "JOB-08 JOB-09 {0}")
  @CsvSource(
      nullValues = "-",
      value = {
        "podset-required-topology,podset-required-topology",
        "podset-preferred-topology,podset-preferred-topology",
        "podset-unconstrained-topology,-"
      })
  void refusesAPlaceThatAnElasticJobMayOutgrow(String key, @Nullable String refused) {
    JsonNode job = annotated(job(), Annotations.ELASTIC_JOB, "true");
    String value = key.contains("unconstrained") ? "true" : "rack";
    JsonNode placed =
        with(
            job,
            "/spec/template/metadata/annotations",
            "{'kueue.x-k8s.io/"
                + key
                + "':'"
                + value
                + "','kueue.x-k8s.io/podset-slice-size':'9',"
                + "'kueue.x-k8s.io/podset-slice-required-topology':'host'}");

    assertThat(faults(EMPTY.onCreate(placed)))
        .containsExactly(
            refused == null
                ? "INVALID spec.template.metadata.annotations[kueue.x-k8s.io/podset-slice-size]"
                : "FORBIDDEN spec.template.metadata.annotations.kueue.x-k8s.io/" + refused);
  }

  @ParameterizedTest(name = "JOB-10 suspended {0}, annotated {1}, {2} to {3}")
  @CsvSource(
      nullValues = "-",
      value = {
        "false,2,3,4,true",
        "false,2,-,1,false",
        "false,2,-,2,true",
        "true,2,3,4,false",
        "false,-,3,4,false"
      })
  void job10KeepsTheParallelismOfAJobThatRuns(
      boolean isSuspended,
      @Nullable String annotation,
      @Nullable Integer before,
      @Nullable Integer after,
      boolean refused) {
    JsonNode old =
        suspended(
            annotated(sized(before, 9), Annotations.JOB_MIN_PARALLELISM, annotation), isSuspended);

    assertThat(faults(EMPTY.onUpdate(old, with(old, "/spec/parallelism", "" + after))))
        .isEqualTo(refused ? List.of("FORBIDDEN spec.parallelism") : List.of());
  }

  @ParameterizedTest(name = "JOB-11 suspended {0}, {1} to {2}")
  @CsvSource(
      nullValues = "-",
      value = {
        "false,-,true,true",
        "false,true,false,true",
        "false,true,1,false",
        "false,-,false,false",
        "true,-,true,false"
      })
  void job11KeepsWhetherCompletionsFollow(
      boolean isSuspended, @Nullable String before, @Nullable String after, boolean refused) {
    JsonNode job = with(sized(3, 3), "/spec/completionMode", "'Indexed'");
    JsonNode old = suspended(annotated(job, Annotations.JOB_SYNC_COMPLETIONS, before), isSuspended);
    JsonNode now = suspended(annotated(job, Annotations.JOB_SYNC_COMPLETIONS, after), isSuspended);

    assertThat(faults(EMPTY.onUpdate(old, now)))
        .isEqualTo(refused ? List.of("FORBIDDEN " + SYNC) : List.of());
  }

  @Test
  void countsAJobThatIsBeingStoppedAsRunning() {
    JsonNode old = annotated(suspended(job(), true), Annotations.STOPPING, "true");

    assertThat(faults(EMPTY.onUpdate(old, labelled(old, Labels.QUEUE_NAME, "q"))))
        .containsExactly("INVALID metadata.labels[kueue.x-k8s.io/queue-name]");
  }

  @Test
  void letsAJobBeUnsuspendedByHand() {
    JsonNode old = suspended(labelled(job(), Labels.QUEUE_NAME, "q"), true);

    assertThat(faults(EMPTY.onUpdate(old, suspended(old, false)))).isEmpty();
  }
}
