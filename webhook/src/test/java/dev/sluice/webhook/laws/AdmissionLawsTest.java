package dev.sluice.webhook.laws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.testkit.Tier;
import dev.sluice.webhook.StandardRules;
import java.util.EnumSet;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of defaulting and validating, over random objects of every kind in several clusters. */
class AdmissionLawsTest {
  private static final int DRAWN = Tier.number("sluice.laws.objects", 20, 100);
  private static final long SEED = Long.getLong("sluice.laws.seed", 20261121);

  static Stream<KindRules> kinds() {
    return StandardRules.book().kinds().stream();
  }

  static Stream<KindRules> defaultedKinds() {
    return kinds().filter(kind -> !kind.defaultedOn().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("defaultedKinds")
  void aSecondPassOfDefaultingChangesNothing(KindRules kind) {
    int changed = 0;
    for (int i = 0; i < DRAWN; i++) {
      Request request = Request.draw(kind, SEED + i);
      for (Operation operation : EnumSet.of(Operation.CREATE, Operation.UPDATE)) {
        JsonNode old = operation == Operation.UPDATE ? request.other() : null;

        PatchRecorder once =
            kind.apply(request.input(operation, request.object(), old), new ValidationResult());
        PatchRecorder twice =
            kind.apply(request.input(operation, once.object(), old), new ValidationResult());

        assertThat(twice.edits()).as("%s, then %s", request, once.edits()).isEmpty();
        changed += once.edits().isEmpty() ? 0 : 1;
      }
    }
    assertThat(changed).as("objects in which something was set").isPositive();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatIsAcceptedIsAcceptedAgainUnchangedAsNewAndAsUpdateOfItself(KindRules kind) {
    int accepted = 0;
    for (int i = 0; i < DRAWN; i++) {
      Request request = Request.draw(kind, SEED + i);
      JsonNode created = request.admitted(Operation.CREATE, request.object(), null);
      if (created != null) {
        accepted++;
        assertThat(request.admitted(Operation.CREATE, created, null))
            .as(request.toString())
            .isEqualTo(created);
        assertThat(request.admitted(Operation.UPDATE, created, created))
            .as(request.toString())
            .isEqualTo(created);
      }
    }
    assertThat(accepted).as("accepted of " + DRAWN).isGreaterThan(DRAWN / 50);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anAcceptedUpdateIsAcceptedAgainAsUpdateOfItself(KindRules kind) {
    for (int i = 0; i < DRAWN; i++) {
      Request request = Request.draw(kind, SEED + i);
      JsonNode updated = request.admitted(Operation.UPDATE, request.object(), request.other());
      if (updated != null) {
        assertThat(request.admitted(Operation.UPDATE, updated, updated))
            .as(request.toString())
            .isEqualTo(updated);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void neitherDefaultingNorRulesTouchTheObjectTheyAreGiven(KindRules kind) {
    for (int i = 0; i < DRAWN / 3; i++) {
      Request request = Request.draw(kind, SEED + i);
      JsonNode object = request.object().deepCopy();
      JsonNode old = request.other().deepCopy();

      RuleInput input = request.input(Operation.UPDATE, object, old);
      kind.apply(input, new ValidationResult());
      kind.check(input);

      assertThat(object).isEqualTo(request.object());
      assertThat(old).isEqualTo(request.other());
    }
  }

  /** An object, another of its kind, and what surrounds them. */
  private record Request(
      KindRules kind, long seed, JsonNode object, JsonNode other, ReviewContext world) {
    static Request draw(KindRules kind, long seed) {
      var random = new Random(seed);
      var objects = new RandomObjects(random);
      JsonNode object = objects.draw(kind.kind());
      JsonNode other = random.nextInt(3) == 0 ? object : objects.draw(kind.kind());
      ReviewContext world = Worlds.ALL.get(random.nextInt(Worlds.ALL.size()));
      return new Request(kind, seed, object, other, world);
    }

    RuleInput input(Operation operation, JsonNode now, @Nullable JsonNode old) {
      return new RuleInput(operation, now, old, world);
    }

    /** What would be stored; null if it is refused. */
    @Nullable JsonNode admitted(Operation operation, JsonNode now, @Nullable JsonNode old) {
      var findings = new ValidationResult();
      JsonNode object = kind.apply(input(operation, now, old), findings).object();
      boolean refused = findings.refuse() || kind.check(input(operation, object, old)).refuse();
      return refused ? null : object;
    }

    @Override
    public String toString() {
      return "%s, seed %d: %s, other %s, in %s"
          .formatted(kind.kind(), seed, object, other, world.settings());
    }
  }
}
