package dev.sluice.server.register;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.server.register.RegistrationPlan.Phase;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrationPlanTest {

  /** The configurations of an installation, mutating first; in the second, one webhook may fail. */
  private static ObjectNode desired(int which) {
    return Installation.into(Target.Service.DEFAULT).registration().get(which);
  }

  static Stream<ObjectNode> configurations() {
    return Stream.of(desired(0), desired(1));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void whatIsMissingIsRegisteredOnTrialSoThatNothingIsRefusedBeforeTheFirstReview(
      ObjectNode desired) {
    RegistrationPlan plan = RegistrationPlan.of(desired, MissingNode.getInstance(), false);

    assertThat(plan.found()).isEqualTo(Phase.ABSENT);
    assertThat(policies(plan.apply().orElseThrow())).containsOnly("Ignore");
    assertThat(names(plan.apply().orElseThrow())).isEqualTo(names(desired));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aDeletedOneComesBackOnTrialWhateverCameBefore(ObjectNode desired) {
    RegistrationPlan plan = RegistrationPlan.of(desired, MissingNode.getInstance(), true);

    assertThat(policies(plan.apply().orElseThrow())).containsOnly("Ignore");
  }

  @Test
  void aConfigurationWithoutWebhooksIsAsGoodAsNone() {
    ObjectNode empty = desired(0).deepCopy();
    empty.remove("webhooks");

    assertThat(RegistrationPlan.of(desired(0), empty, true).found()).isEqualTo(Phase.ABSENT);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aTrialWithoutAReviewStays(ObjectNode desired) {
    RegistrationPlan plan = RegistrationPlan.of(desired, onTrial(desired), false);

    assertThat(plan.found()).isEqualTo(Phase.TRIAL);
    assertThat(plan.apply()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void aReviewEndsTheTrialAndEachWebhookGetsThePolicyThatIsMeant(ObjectNode desired) {
    RegistrationPlan plan = RegistrationPlan.of(desired, onTrial(desired), true);

    assertThat(plan.apply()).contains(desired);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsEffectiveIsLeftAloneAlsoWithTheDefaultsOfTheApiServer(boolean reached) {
    ObjectNode live = desired(1).deepCopy();
    live.withObject("metadata").put("uid", "u").put("resourceVersion", "7");
    live.path("webhooks").forEach(it -> ((ObjectNode) it).putObject("objectSelector"));

    RegistrationPlan plan = RegistrationPlan.of(desired(1), live, reached);

    assertThat(plan)
        .isEqualTo(new RegistrationPlan(Phase.EFFECTIVE, java.util.Optional.empty(), List.of()));
  }

  @Test
  void anotherBundleIsWrittenWithoutATrial() {
    ObjectNode live = desired(0).deepCopy();
    ((ObjectNode) live.at("/webhooks/0/clientConfig")).put("caBundle", "b2xk");
    ObjectNode desired = desired(0);
    ((ObjectNode) desired.at("/webhooks/0/clientConfig")).put("caBundle", "bmV3");

    assertThat(RegistrationPlan.of(desired, live, false).apply()).contains(desired);
  }

  @Test
  void aRegistrationThatWorkedBeforeGetsNewKindsWithoutATrial() {
    ObjectNode live = desired(0).deepCopy();
    ((ArrayNode) live.path("webhooks")).remove(0);

    assertThat(RegistrationPlan.of(desired(0), live, false).apply()).contains(desired(0));
  }

  @Test
  void aWebhookOfAKindThatIsNotManagedAnyMoreIsStale() {
    ObjectNode live = desired(0).deepCopy();
    live.withArrayProperty("webhooks").addObject().put("name", "mgone.kb.io");

    RegistrationPlan plan = RegistrationPlan.of(desired(0), live, true);

    assertThat(plan.stale()).containsExactly("mgone.kb.io");
    assertThat(plan.apply()).isEmpty();
  }

  /** Writes go through while nobody answers, and are refused only after a review has come. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void noStepIsEffectiveBeforeAReviewAndEveryPlanCarriedOutLeavesNothingToDo(long seed) {
    Random random = new Random(seed);
    ObjectNode desired = desired(random.nextInt(2));
    JsonNode live = MissingNode.getInstance();
    boolean reached = false;
    for (int step = 0; step < 100; step++) {
      if (random.nextInt(4) == 0) {
        live = MissingNode.getInstance();
        reached = false;
      }
      reached |= !live.isMissingNode() && random.nextInt(3) == 0;
      RegistrationPlan plan = RegistrationPlan.of(desired, live, reached);
      live = plan.apply().<JsonNode>map(it -> it).orElse(live);
      boolean refuses = policies(live).contains("Fail");
      assertThat(refuses).isEqualTo(reached && !plan.found().equals(Phase.ABSENT));
      boolean soon = reached && refuses;
      assertThat(RegistrationPlan.of(desired, live, soon).apply()).isEmpty();
    }
  }

  private static ObjectNode onTrial(ObjectNode desired) {
    return RegistrationPlan.of(desired, MissingNode.getInstance(), false).apply().orElseThrow();
  }

  private static List<String> policies(JsonNode configuration) {
    return configuration.findValuesAsText("failurePolicy");
  }

  private static List<String> names(JsonNode configuration) {
    return configuration
        .path("webhooks")
        .valueStream()
        .map(it -> it.path("name").asText())
        .toList();
  }
}
