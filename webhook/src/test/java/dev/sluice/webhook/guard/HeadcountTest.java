package dev.sluice.webhook.guard;

import static dev.sluice.rules.Reviews.json;
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

  /** The Job was read, then its pods, then the Job again. */
  @ParameterizedTest(name = "{0}, then {1}, then {2}: {3}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "allowed",
      textBlock =
          """
          {}                          | done         | {'failed':1}                | allowed
          {'failed':1}                | done         | {'failed':1}                | allowed
          {}                          | done         | {'succeeded':1}             | COMPLETED
          {}                          | done         | UNCOUNTED                   | COMPLETED
          {}                          | done         | FAILING                     | allowed
          {}                          | done-tracked | {}                          | COMPLETED
          {}                          | done-tracked | UNCOUNTED                   | COMPLETED
          {}                          | done-tracked | FAILING                     | allowed
          FAILING                     | done-tracked | FAILING                     | allowed
          UNCOUNTED                   | done         | {'succeeded':1}             | COMPLETED
          {}                          | done failed  | {'failed':2}                | allowed
          {}                          | alive        | {'failed':1}                | PARALLELISM
          """)
  void isCertainOfWhatTheJobHasCountedOnceItsPodsWereSeen(
      String before, String pods, String after, Reason reason) {
    String spec = "{'completions':1}";

    var count =
        new Headcount(
            job(spec, counted(before)), pods(pods), Optional.of(job(spec, counted(after))));

    assertThat(count.surplus(pod("alive", 99)).map(Surplus::reason))
        .isEqualTo(Optional.ofNullable(reason));
  }

  private static String counted(String word) {
    return switch (word) {
      case "UNCOUNTED" -> "{'uncountedTerminatedPods':{'succeeded':['u0']}}";
      case "FAILING" -> "{'uncountedTerminatedPods':{'failed':['u0']}}";
      default -> word;
    };
  }

  /** With two completions, one success that was counted between the looks is not two. */
  @Test
  void aSuccessThatIsCountedWhileItIsLookedAtIsOne() {
    String spec = "{'parallelism':2,'completions':2}";

    assertThat(
            new Headcount(
                    job(spec, "{}"),
                    pods("done-tracked"),
                    Optional.of(job(spec, "{'succeeded':1}")))
                .surplus(pod("alive", 99)))
        .isEmpty();
  }

  @ParameterizedTest(name = "done#0 then {0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "allowed",
      textBlock =
          """
          ``  | {}                                               | allowed
          0   | {}                                               | INDEX
          ``  | {'uncountedTerminatedPods':{'succeeded':['u0']}} | INDEX
          """)
  void anIndexIsDoneOnceTheJobSaysSoAfterItsPodsWereSeen(
      String completed, String status, Reason reason) {
    String spec = "{'parallelism':4,'completions':8,'completionMode':'Indexed'}";
    JobFacts after =
        job(spec, status.equals("{}") ? "{'completedIndexes':'" + completed + "'}" : status);

    assertThat(
            new Headcount(job(spec, "{}"), pods("done#0"), Optional.of(after))
                .surplus(pod("alive#0", 99))
                .map(Surplus::reason))
        .isEqualTo(Optional.ofNullable(reason));
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
