package dev.sluice.webhook.rules;

import static dev.sluice.webhook.rules.Reviews.faults;
import static dev.sluice.webhook.rules.Reviews.json;
import static dev.sluice.webhook.rules.Reviews.onCreate;
import static dev.sluice.webhook.rules.Reviews.onUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.rules.RuleInput.Operation;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RuleBookTest {
  private static final JsonNode WRONG = json("{'metadata':{'name':'a'},'spec':7}");

  @Test
  void hasRulesForCohortsAndTopologies() {
    assertThat(StandardRules.book().kinds())
        .extracting(KindRules::kind)
        .contains(ApiKind.COHORT.hub(), ApiKind.TOPOLOGY.hub());
  }

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void refusesWhatHasNoSpecToSpeakOf(ApiKind kind) {
    assertThat(faults(onCreate(kind, WRONG))).containsExactly("INVALID spec");
  }

  @Test
  void allowsWhatHasNoRules() {
    var input = new RuleInput(Operation.CREATE, WRONG, null, World.UNKNOWN);

    assertThat(new RuleBook(List.of()).check(ApiKind.COHORT.groupKind(), input).refuse()).isFalse();
  }

  @ParameterizedTest(name = "RSP-04 {0}")
  @EnumSource(ApiKind.class)
  void allowsEachDelete(ApiKind kind) {
    var input = new RuleInput(Operation.DELETE, json("null"), WRONG, World.UNKNOWN);

    assertThat(StandardRules.book().check(kind.groupKind(), input).refuse()).isFalse();
  }

  @Test
  @DisplayName("a Cohort of quota -1, going away, loses its finalizer but gains no other fault")
  void letsAnObjectThatIsBeingDeletedGo() {
    var old = json(deleting("'finalizers':['x']", "-1"));

    assertThat(onUpdate(ApiKind.COHORT, old, json(deleting("'labels':{}", "-1"))).refuse())
        .isFalse();
    assertThat(onUpdate(ApiKind.COHORT, old, json(deleting("'labels':{}", "-2"))).refuse())
        .isTrue();
  }

  private static String deleting(String metadata, String weight) {
    return "{'metadata':{'name':'a','deletionTimestamp':'2026-01-01T00:00:00Z',%s},"
            .formatted(metadata)
        + "'spec':{'fairSharing':{'weight':'%s'}}}".formatted(weight);
  }

  private static final Pattern FIELD =
      Pattern.compile(
          "(?:^|[\\s\\[,])((?:spec|metadata|status)[A-Za-z0-9_.\\[\\]()/-]*): "
              + "(?:Invalid|Required|Forbidden|Duplicate|Unsupported|Too|Not found|Internal)");

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void answersAnyJsonWithBoundedFindings(long seed) {
    var random = new RandomJson(new Random(seed));
    for (ApiKind kind : ApiKind.values()) {
      JsonNode object = random.object();
      for (Operation operation : Operation.values()) {
        var input = new RuleInput(operation, object, random.oldOf(object), World.UNKNOWN);

        Findings findings = StandardRules.book().check(kind.groupKind(), input);

        assertThat(findings.violations()).hasSizeLessThanOrEqualTo(Findings.MAX_VIOLATIONS);
        assertThat(findings.warnings())
            .hasSizeLessThanOrEqualTo(Findings.MAX_WARNINGS + 1)
            .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(256));
        Denial.of(kind.groupKind(), input, findings)
            .ifPresent(it -> assertNamesFields(it, findings));
      }
    }
  }

  private static void assertNamesFields(Denial denial, Findings findings) {
    assertThat(denial.message()).hasSizeLessThan(64 * 1024).doesNotContain("\n");
    assertThat(FIELD.matcher(denial.message()).results().map(it -> it.group(1)))
        .containsAll(findings.violations().stream().map(Violation::field).toList());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void neverRefusesATopologyThatDoesNotChange(long seed) {
    JsonNode object = new RandomJson(new Random(seed)).object();

    assertThat(onUpdate(ApiKind.TOPOLOGY, object, object).refuse()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void answersAHugeObjectBriefly(ApiKind kind) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (String list : List.of("levels", "resourceGroups")) {
      var items = object.withObject("/spec").putArray(list);
      IntStream.range(0, 300_000).forEach(i -> items.add("x"));
    }
    var input = new RuleInput(Operation.CREATE, object, null, World.UNKNOWN);

    Findings findings = StandardRules.book().check(kind.groupKind(), input);

    assertThat(Denial.of(kind.groupKind(), input, findings).orElseThrow().message())
        .hasSizeLessThan(10_000);
  }

  /** Trees that often look like our kinds, with anything in any place. */
  private static final class RandomJson {
    private static final List<String> NAMES =
        List.of(
            "metadata",
            "name",
            "deletionTimestamp",
            "spec",
            "levels",
            "nodeLabel",
            "parentName",
            "fairSharing",
            "weight",
            "resourceGroups",
            "coveredResources",
            "flavors",
            "resources",
            "nominalQuota",
            "borrowingLimit",
            "lendingLimit");
    private static final List<String> TEXTS =
        List.of(
            "",
            "a",
            "cpu",
            "@",
            "a/b/c",
            "kubernetes.io/hostname",
            "-1",
            "1n",
            "9e99",
            "many",
            "x".repeat(400),
            "\u0000\n",
            "\ud800",
            "spec: Invalid");
    private static final String TOPOLOGY =
        "{'metadata':{'name':'a'},'spec':{'levels':[{'nodeLabel':'b'},{'nodeLabel':'c'}]}}";
    private static final String COHORT =
        """
        {'metadata':{'name':'a'},'spec':{'parentName':'p','fairSharing':{'weight':1},
         'resourceGroups':[{'coveredResources':['cpu','gpu'],'flavors':[{'name':'f','resources':[
          {'name':'cpu','nominalQuota':1,'lendingLimit':'1'},{'name':'gpu','nominalQuota':'2'}]}]}]}}
        """;

    private final Random random;
    private int spareItems = 500;

    RandomJson(Random random) {
      this.random = random;
    }

    JsonNode object() {
      return switch (random.nextInt(3)) {
        case 0 -> any(6);
        case 1 -> mutated(json(TOPOLOGY), 0.15);
        default -> mutated(json(COHORT), 0.08);
      };
    }

    JsonNode oldOf(JsonNode object) {
      return switch (random.nextInt(4)) {
        case 0 -> object;
        case 1 -> object();
        default -> mutated(object, 0.1);
      };
    }

    private JsonNode mutated(JsonNode node, double chance) {
      if (random.nextDouble() < chance) {
        return any(3);
      }
      if (node.isObject()) {
        var copy = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
          if (random.nextDouble() >= chance / 2) {
            copy.set(member.getKey(), mutated(member.getValue(), chance));
          }
        }
        return copy;
      }
      if (node.isArray()) {
        var copy = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : node) {
          copy.add(mutated(item, chance));
          if (spareItems > 0 && random.nextDouble() < chance) {
            spareItems -= 100;
            IntStream.range(0, 100).forEach(_ -> copy.add(mutated(item, chance)));
          }
        }
        return copy;
      }
      return node;
    }

    private JsonNode any(int depth) {
      var factory = JsonNodeFactory.instance;
      return switch (random.nextInt(depth > 0 ? 9 : 7)) {
        case 0 -> factory.nullNode();
        case 1 -> factory.booleanNode(random.nextBoolean());
        case 2 -> factory.numberNode(random.nextInt());
        case 3 -> factory.numberNode(random.nextGaussian() * 1e20);
        case 4 -> factory.numberNode(BigInteger.TWO.pow(random.nextInt(20_000)));
        case 5, 6 -> factory.textNode(TEXTS.get(random.nextInt(TEXTS.size())));
        case 7 -> {
          var list = factory.arrayNode();
          IntStream.range(0, random.nextInt(5)).forEach(_ -> list.add(any(depth - 1)));
          yield list;
        }
        default -> {
          var object = factory.objectNode();
          IntStream.range(0, random.nextInt(6))
              .forEach(_ -> object.set(NAMES.get(random.nextInt(NAMES.size())), any(depth - 1)));
          yield object;
        }
      };
    }
  }
}
