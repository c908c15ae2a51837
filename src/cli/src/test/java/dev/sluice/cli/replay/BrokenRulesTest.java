package dev.sluice.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.Commands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A release that breaks a rule is found by a recording of the release before it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenRulesTest {
  private static final String QUOTA = "dev.sluice.quota.";

  /** Each world has other policies: one alone does not exercise every rule. */
  private static final int WORLDS = 4;

  @TempDir private static Path folder;
  private final List<Path> recordings = new ArrayList<>();

  private record Ran(int code, String out) {}

  @BeforeAll
  void record() throws Exception {
    for (int seed = 1; seed <= WORLDS; seed++) {
      Path recording = Files.createDirectory(folder.resolve("world-" + seed));
      RandomRecording.of(seed, 300).write(recording);
      recordings.add(recording);
    }
  }

  /** Runs the replay of that build, up to the first recording that is not decided the same. */
  private Ran replay(BrokenBuild build) throws ReflectiveOperationException {
    Class<?> commands = build.loadClass(Commands.class.getName());
    var last = new Ran(0, "");
    for (Path recording : recordings) {
      String[] args = {"replay", recording.toString()};
      Object ran = commands.getMethod("run", String[].class).invoke(null, (Object) args);
      Class<?> type = ran.getClass();
      last =
          new Ran(
              (int) type.getMethod("code").invoke(ran), (String) type.getMethod("out").invoke(ran));
      if (last.code() != 0) {
        return last;
      }
    }
    return last;
  }

  @Test
  void aBuildWithNoRuleBrokenDecidesTheSame() throws Exception {
    var build = new BrokenBuild("none", "none", 0);

    Ran ran = replay(build);

    assertThat(ran.out()).contains("all the same");
    assertThat(ran.code()).isZero();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "of two that wait the higher priority goes first, queue.QueuePosition, compareTo, 1",
    "of equal priorities the older one goes first, queue.QueuePosition, compareTo, 2",
    "LowerPriority preempts lower ones, preempt.Candidates, withinQueue, 0",
    "LowerOrNewerEqualPriority preempts lower ones, preempt.Candidates, withinQueue, 1",
    "LowerOrNewerEqualPriority preempts newer ones, preempt.Candidates, withinQueue, 3",
    "LowerPriority reclaims from lower ones, preempt.Candidates, withinCohort, 2",
    "victims that are not needed stay, preempt.FillBack, minimal, 1",
    "quota is reclaimed from those that borrow, preempt.ClassicalSearch$Search, borrows, 0",
    "no more is used than is there, tree.QuotaUsage, fits, 0",
    "quota of its own comes before that of others, tree.QuotaUsage, borrowsWith, 0",
  })
  void aBrokenRuleIsFound(String rule, String type, String method, int condition) throws Exception {
    var build = new BrokenBuild(QUOTA + type, method, condition);

    Ran ran = replay(build);

    assertThat(build.inverted()).as(rule).isEqualTo(1);
    assertThat(ran.out()).as(rule).contains("DIFFERS at event ");
    assertThat(ran.code()).as(rule).isEqualTo(1);
  }
}
