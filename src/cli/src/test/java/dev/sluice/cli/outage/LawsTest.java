package dev.sluice.cli.outage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge of the outage stories is judged: by short histories of one Job of one pod. */
class LawsTest {
  private static final String JOB = "job-uid";

  private final List<Revision> history = new ArrayList<>();

  private void job(boolean suspended, int succeeded, boolean complete, String... counting) {
    history.add(
        new Revision.OfJob(
            history.size(),
            "a/job",
            JOB,
            false,
            suspended,
            "",
            0,
            1,
            1,
            succeeded,
            Set.of(counting),
            complete,
            false));
  }

  private void workload(boolean holds) {
    history.add(
        new Revision.OfWorkload(
            history.size(),
            "a/workload",
            "workload-uid",
            JOB,
            false,
            !holds,
            holds,
            false,
            holds,
            holds ? "queue" : "",
            holds ? 1_000 : 0));
  }

  private void jobOfAnyKind(boolean suspended) {
    history.add(new Revision.OfKind(history.size(), "a/job", JOB, JOB, false, suspended));
  }

  private void pod(String uid, boolean active, boolean succeeded) {
    history.add(new Revision.OfPod(history.size(), "a/" + uid, uid, JOB, false, active, succeeded));
  }

  private List<String> breaches() {
    return Laws.judge(history, List.of()).breaches();
  }

  private void runToTheEnd(String pod) {
    job(false, 0, false);
    pod(pod, true, false);
    pod(pod, false, true);
    job(false, 0, false, pod);
    job(false, 1, true);
  }

  @Test
  void aJobThatRunsOnceKeepsTheLaws() {
    runToTheEnd("first");

    assertThat(breaches()).isEmpty();
  }

  @Test
  void aJobThatIsStartedAndStoppedWithinItsQuotaKeepsTheLaws() {
    jobOfAnyKind(true);
    workload(true);
    jobOfAnyKind(false);
    jobOfAnyKind(true);
    workload(false);

    assertThat(breaches()).isEmpty();
  }

  @Test
  void aJobThatIsStartedWithoutQuotaIsABreach() {
    jobOfAnyKind(true);
    workload(false);
    jobOfAnyKind(false);

    assertThat(breaches()).containsExactly("at 2: a/job was started without quota");
  }

  @Test
  void aJobThatGoesOnWithoutQuotaIsABreach() {
    jobOfAnyKind(true);
    workload(true);
    jobOfAnyKind(false);
    workload(false);

    assertThat(breaches()).containsExactly("at 3: a/job lost its quota while it was not suspended");
  }

  @Test
  void aSuccessThatItsControllerLetsGoOfWhenTheJobIsStoppedIsNotCountedAgainstUs() {
    job(false, 0, false);
    pod("first", true, false);
    job(true, 0, false);
    pod("first", false, true);
    runToTheEnd("second");

    assertThat(breaches()).isEmpty();
  }

  @Test
  void aSuccessThatIsLostWhileTheJobWasNotStoppedIsABreach() {
    job(false, 0, false);
    pod("first", true, false);
    pod("first", false, true);
    runToTheEnd("second");

    assertThat(breaches()).containsExactly("a/job did not count the success of pod first");
  }

  @Test
  void aPodThatIsMadeAfterTheCountedSuccessIsABreach() {
    runToTheEnd("first");
    pod("second", true, false);

    assertThat(breaches())
        .containsExactly("at 5: Job a/job has 1 active and 1 succeeded pods, completions 1");
  }

  @Test
  void twoPodsAtATimeAreABreach() {
    job(false, 0, false);
    pod("first", true, false);
    pod("second", true, false);

    assertThat(breaches()).contains("at 2: Job a/job has 2 active pods, parallelism 1");
  }

  @Test
  void twoCountedPodsAreABreach() {
    job(false, 0, false);
    pod("first", false, true);
    pod("second", false, true);
    job(false, 0, false, "first", "second");
    job(false, 2, true);

    assertThat(breaches()).containsExactly("a/job has 2 of 1 pods succeeded, and 2 were counted");
  }

  @Test
  void aCountedPodThatDidNotSucceedIsABreach() {
    job(false, 0, false);
    pod("first", true, false);
    job(false, 0, false, "first");
    job(false, 1, true);

    assertThat(breaches()).containsExactly("a/job counted a pod that did not succeed");
  }

  @Test
  void aCompleteJobThatIsNotCompleteAnyMoreIsABreach() {
    runToTheEnd("first");
    job(false, 1, false);

    assertThat(breaches()).containsExactly("at 5: Job a/job was complete and is not any more");
  }
}
