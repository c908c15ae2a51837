package dev.sluice.webhook.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.GroupKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.settings.GuardMode;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.ObjectView;
import dev.sluice.webhook.StandardRules;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NeverFitsTest {
  private final ReviewContext world =
      new ReviewContext(
          ObjectView.of(
              List.of(
                  Reviews.json(
                      "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{"
                          + "'name':'q','namespace':'n'},'spec':{'clusterQueue':'a'}}"))),
          Settings.DEFAULT,
          new FencedQuotaView(
              EngineConfiguration.defaults(),
              GuardMode.DENY,
              new Quotas().queue("a", "c", 2, ",'borrowingLimit':1").queue("b", "c", 9, ""),
              System::nanoTime));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          q     | 3 | 9 | -                                     | false
          q     | 4 | 9 | -                                     | true
          q     | 4 | 3 | -                                     | false
          q     | 4 | 9 | kueue.x-k8s.io/job-min-parallelism    | false
          other | 4 | 9 | -                                     | false
          """)
  void warnsOfAJobThatItsQueueHasNoRoomForEvenIfItWereEmpty(
      String queue, int parallelism, int completions, String annotation, boolean warned) {
    var job =
        Reviews.json(
            """
            {'apiVersion':'batch/v1','kind':'Job','metadata':{'namespace':'n','name':'j','labels':{
            'kueue.x-k8s.io/queue-name':'%s'},'annotations':{'%s':'3'}},'spec':{'suspend':true,
            'parallelism':%d,'completions':%d,'template':{'spec':{'containers':[{'name':'c',
            'resources':{'requests':{'cpu':1}}}]}}}}\
            """
                .formatted(queue, annotation, parallelism, completions));

    var findings =
        StandardRules.book()
            .check(
                new GroupKind("batch", "Job"),
                new RuleInput(RuleInput.Operation.CREATE, job, null, world));

    assertThat(findings.warnings())
        .filteredOn(it -> it.contains("never to be admitted"))
        .isEqualTo(
            warned
                ? List.of(
                    "spec.template: the job is never to be admitted: 4 of cpu in flavor f is more"
                        + " than ClusterQueue a can ever have, 3")
                : List.of());
  }
}
