package dev.sluice.webhook.guard;

import static dev.sluice.webhook.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.webhook.guard.Surplus.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pods are written as words: {@code alive}, {@code done} (succeeded, counted or not), {@code
 * done-tracked} (succeeded, finalizer still there), {@code failed}, {@code leaving} (terminating).
 */
class HeadcountTest {
  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "allowed",
      textBlock =
          """
          {}                                  |                           | allowed
          {}                                  | alive                     | PARALLELISM
          {'parallelism':2}                   | alive                     | allowed
          {'parallelism':2}                   | alive alive               | PARALLELISM
          {'parallelism':2}                   | alive failed done         | allowed
          {'parallelism':0}                   |                           | PARALLELISM
          {'parallelism':2,'completions':2}   | done                      | allowed
          {'parallelism':2,'completions':2}   | done done-tracked         | COMPLETED
          {'parallelism':2,'completions':2}   | done alive                | COMPLETED
          {'parallelism':2,'completions':3}   | done alive                | allowed
          {'completions':1}                   | done                      | COMPLETED
          {'completions':1}                   | failed                    | allowed
          {'suspend':true}                    |                           | SUSPENDED
          {'parallelism':1}                   | leaving                   | allowed
          {'podReplacementPolicy':'Failed'}   | leaving                   | PARALLELISM
          {'podFailurePolicy':{}}             | leaving                   | PARALLELISM
          {'podReplacementPolicy':'TerminatingOrFailed','podFailurePolicy':{}} | leaving | allowed
          """)
  void countsWhatIsThere(String spec, String pods, Reason reason) {
    assertThat(surplus(spec, "{}", pods)).isEqualTo(Optional.ofNullable(reason));
  }

  @ParameterizedTest(name = "status {0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "allowed",
      textBlock =
          """
          {'succeeded':1}                                                    |              | COMPLETED
          {'uncountedTerminatedPods':{'succeeded':['u0']}}                   | done         | COMPLETED
          {'uncountedTerminatedPods':{'succeeded':['gone']}}                 |              | COMPLETED
          {'uncountedTerminatedPods':{'failed':['u0']}}                      | failed       | allowed
          {'conditions':[{'type':'Complete','status':'True'}]}               |              | FINISHED
          {'conditions':[{'type':'Failed','status':'True'}]}                 |              | FINISHED
          {'conditions':[{'type':'FailureTarget','status':'True'}]}          |              | FINISHED
          {'conditions':[{'type':'Failed','status':'False'}]}                |              | allowed
          """)
  void believesTheStatusOfTheJob(String status, String pods, Reason reason) {
    assertThat(surplus("{'completions':1}", status, pods)).isEqualTo(Optional.ofNullable(reason));
  }

  @Test
  void seesASuccessThatAStaleJobHasNotCountedAndThatLostItsFinalizer() {
    assertThat(surplus("{'parallelism':1,'completions':1}", "{'succeeded':0}", "done"))
        .contains(Reason.COMPLETED);
  }

  @Test
  void countsAPodOnceThatIsBothUncountedAndTracked() {
    assertThat(
            surplus(
                "{'parallelism':2,'completions':2}",
                "{'uncountedTerminatedPods':{'succeeded':['u0']}}",
                "done-tracked"))
        .isEmpty();
  }

  @ParameterizedTest(name = "index {1} with completed {0} and pods {2}: {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "allowed",
      textBlock =
          """
          ``      | 0 |             | allowed
          0-2,5   | 1 |             | INDEX
          0-2,5   | 5 |             | INDEX
          0-2,5   | 3 |             | allowed
          ``      | 0 | alive#0     | INDEX
          ``      | 1 | alive#0     | allowed
          ``      | 0 | failed#0    | allowed
          ``      | 0 | leaving#0   | allowed
          ``      | 0 | done#0      | INDEX
          """)
  void allowsOneLivePodForAnIndex(String completed, String index, String pods, Reason reason) {
    var job =
        job(
            "{'parallelism':4,'completions':8,'completionMode':'Indexed'}",
            "{'completedIndexes':'" + completed + "'}");
    var candidate = pod("alive#" + index, 99);

    assertThat(new Headcount(job, pods(pods)).surplus(candidate).map(Surplus::reason))
        .isEqualTo(Optional.ofNullable(reason));
  }

  @Test
  void saysTheNumbers() {
    var job = job("{'parallelism':2}", "{}");

    assertThat(new Headcount(job, pods("alive alive")).surplus(pod("alive", 99)))
        .contains(
            new Surplus(Reason.PARALLELISM, "Job sample has 2 live pods at a parallelism of 2"));
  }

  private static Optional<Reason> surplus(String spec, String status, String pods) {
    return new Headcount(job(spec, status), pods(pods))
        .surplus(pod("alive", 99))
        .map(Surplus::reason);
  }

  private static JobFacts job(String spec, String status) {
    return JobFacts.of(
        json(
            "{'metadata':{'name':'sample','uid':'j'},'spec':"
                + spec
                + ",'status':"
                + status
                + "}"));
  }

  private static List<PodFacts> pods(String words) {
    var pods = new ArrayList<PodFacts>();
    for (String word : words == null ? new String[0] : words.split(" ", -1)) {
      pods.add(pod(word, pods.size()));
    }
    return pods;
  }

  private static PodFacts pod(String word, int number) {
    String[] parts = word.split("#", -1);
    String state = parts[0];
    String phase =
        state.startsWith("done") ? "Succeeded" : state.equals("failed") ? "Failed" : "Running";
    String metadata =
        "'name':'p%d','uid':'u%d'".formatted(number, number)
            + (state.equals("leaving") ? ",'deletionTimestamp':'2026-01-01T00:00:00Z'" : "")
            + (state.endsWith("tracked")
                ? ",'finalizers':['batch.kubernetes.io/job-tracking']"
                : "")
            + (parts.length > 1
                ? ",'annotations':{'batch.kubernetes.io/job-completion-index':'" + parts[1] + "'}"
                : "");
    return PodFacts.of(json("{'metadata':{" + metadata + "},'status':{'phase':'" + phase + "'}}"));
  }
}
