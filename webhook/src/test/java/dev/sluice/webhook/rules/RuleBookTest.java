package dev.sluice.webhook.rules;

import static dev.sluice.rules.Reviews.faults;
import static dev.sluice.rules.Reviews.json;
import static dev.sluice.webhook.rules.StandardReviews.onCreate;
import static dev.sluice.webhook.rules.StandardReviews.onUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.rules.Denial;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.Reviews;
import dev.sluice.rules.RuleBook;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.testkit.Tier;
import dev.sluice.webhook.StandardRules;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class RuleBookTest {
  private static final Set<ApiKind> ASKED_AGAIN =
      Set.of(ApiKind.COHORT, ApiKind.CLUSTER_QUEUE, ApiKind.RESOURCE_FLAVOR);
  private static final JsonNode WRONG = json("{'metadata':{'name':'a'},'spec':7}");

  @ParameterizedTest
  @EnumSource
  void hasRulesForEachKindOfTheGroup(ApiKind kind) {
    assertThat(StandardRules.book().find(kind.groupKind()))
        .hasValueSatisfying(rules -> assertThat(rules.kind()).isEqualTo(kind.hub()));
  }

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void refusesWhatHasNoSpecToSpeakOf(ApiKind kind) {
    assertThat(faults(onCreate(kind, WRONG))).containsExactly("INVALID spec");
  }

  @Test
  void allowsWhatHasNoRules() {
    var input = new RuleInput(Operation.CREATE, WRONG, null, ReviewContext.UNKNOWN);

    assertThat(new RuleBook(List.of()).check(ApiKind.COHORT.groupKind(), input).refuse()).isFalse();
  }

  @ParameterizedTest(name = "RSP-04 {0}")
  @EnumSource(ApiKind.class)
  void allowsEachDelete(ApiKind kind) {
    var input = new RuleInput(Operation.DELETE, json("null"), WRONG, ReviewContext.UNKNOWN);

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
    return LongStream.range(0, Tier.number(100, 500));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void answersAnyJsonWithBoundedFindings(long seed) {
    var random = new RandomJson(new Random(seed));
    for (ApiKind kind : ApiKind.values()) {
      JsonNode object = random.object();
      for (Operation operation : Operation.values()) {
        var input = new RuleInput(operation, object, random.oldOf(object), ReviewContext.UNKNOWN);

        ValidationResult findings = StandardRules.book().check(kind.groupKind(), input);

        assertThat(findings.violations()).hasSizeLessThanOrEqualTo(ValidationResult.MAX_VIOLATIONS);
        assertThat(findings.warnings())
            .hasSizeLessThanOrEqualTo(ValidationResult.MAX_WARNINGS + 1)
            .allSatisfy(it -> assertThat(it).hasSizeLessThanOrEqualTo(256));
        Denial.of(kind.groupKind(), input, findings)
            .ifPresent(it -> assertNamesFields(it, findings));
      }
    }
  }

  private static void assertNamesFields(Denial denial, ValidationResult findings) {
    assertThat(denial.message()).hasSizeLessThan(64 * 1024).doesNotContain("\n");
    // names that users choose can stand in a path; clients find the others by this form
    assertThat(FIELD.matcher(denial.message()).results().map(it -> it.group(1)))
        .containsAll(
            findings.violations().stream()
                .map(FieldError::field)
                .filter(it -> it.matches("[A-Za-z0-9_.\\[\\]()/-]+"))
                .toList());
  }

  /** A second pass finds nothing to set, whatever the first one came upon. */
  @ParameterizedTest
  @MethodSource("seeds")
  void setsNothingTwice(long seed) {
    JsonNode object = new RandomJson(new Random(seed)).object();
    ReviewContext[] worlds = {ReviewContext.UNKNOWN, Reviews.worldWith()};
    for (KindRules rules : StandardRules.book().kinds()) {
      for (ReviewContext world : worlds) {
        for (Operation operation : Operation.values()) {
          var input = new RuleInput(operation, object, object, world);
          JsonNode once = rules.apply(input, new ValidationResult()).object();

          PatchRecorder twice = rules.apply(input.with(once), new ValidationResult());

          assertThat(twice.edits()).as(rules.kind().toString()).isEmpty();
          assertThat(twice.object()).isEqualTo(once);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void acceptsAnAcceptedObjectAgain(long seed) {
    var random = new RandomJson(new Random(seed));
    for (ApiKind kind : ApiKind.values()) {
      JsonNode object = random.object();
      if (!onCreate(kind, object).refuse()) {
        ValidationResult again = onUpdate(kind, object, object);

        assertThat(again.violations()).as(kind + " " + object).isEmpty();
      }
    }
  }

  /** But for what Kueue asks of each update of quota, selector and labels. */
  @ParameterizedTest
  @MethodSource("seeds")
  void neverRefusesWhatDoesNotChange(long seed) {
    JsonNode object = new RandomJson(new Random(seed)).object();
    for (ApiKind kind : ApiKind.values()) {
      if (!ASKED_AGAIN.contains(kind)) {
        assertThat(onUpdate(kind, object, object).violations())
            .as(kind + " " + object)
            .filteredOn(it -> !it.field().contains("admission-gated-by"))
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COHORT", "TOPOLOGY"})
  void answersAHugeObjectBriefly(ApiKind kind) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (String list : List.of("levels", "resourceGroups")) {
      var items = object.withObject("/spec").putArray(list);
      IntStream.range(0, 300_000).forEach(i -> items.add("x"));
    }
    var input = new RuleInput(Operation.CREATE, object, null, ReviewContext.UNKNOWN);

    ValidationResult findings = StandardRules.book().check(kind.groupKind(), input);

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
            "lendingLimit",
            "annotations",
            "finalizers",
            "podSets",
            "count",
            "minCount",
            "status",
            "conditions",
            "admission",
            "reclaimablePods",
            "podSetUpdates");
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

    private static final String QUEUE =
        """
        {'metadata':{'name':'a','finalizers':['x']},'spec':{'cohortName':'p','namespaceSelector':{'matchLabels':{'a':'b'},
          'matchExpressions':[{'key':'a','operator':'In','values':['b']}]},
         'preemption':{'reclaimWithinCohort':'Any','borrowWithinCohort':{'policy':'LowerPriority'}},
         'flavorFungibility':{'whenCanBorrow':'TryNextFlavor','whenCanPreempt':'TryNextFlavor','preference':'x'},
         'admissionChecksStrategy':{'admissionChecks':[{'name':'c','onFlavors':['f']}]},
         'concurrentAdmissionPolicy':{'migration':{'mode':'m'}},
         'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
          {'name':'cpu','nominalQuota':1,'lendingLimit':'1'}]}]}]},
         'status':{'flavorsReservation':[{'name':'f','resources':[{'name':'cpu','total':'3','borrowed':1}]}]}}
        """;
    private static final String FLAVOR =
        """
        {'metadata':{'name':'a'},'spec':{'nodeLabels':{'a':'b'},'topologyName':'t',
         'nodeTaints':[{'key':'a','value':'b','effect':'NoSchedule'}],
         'tolerations':[{'key':'a','operator':'Equal','value':'b'}],
         'clusterQueue':'q','controllerName':'c','clusters':['a','b'],'clusterSource':{'kubeConfig':{'location':'s'}},
         'provisioningClassName':'p','retryStrategy':{'backoffLimitCount':1}}}
        """;
    private static final String WORKLOAD =
        """
        {'metadata':{'name':'a','annotations':{'kueue.x-k8s.io/admission-gated-by':'a/b','kueue.x-k8s.io/elastic-job':'true'}},
         'spec':{'queueName':'q','podSets':[{'name':'a','count':4,'template':{'metadata':{'labels':{'a':'b'}},
          'spec':{'containers':[{'resources':{'requests':{'cpu':1},'limits':{'cpu':'1'}}}]}},
          'topologyRequest':{'required':'a','podSetSliceRequiredTopology':'b','podSetSliceSize':2}},{'name':'b'}]},
         'status':{'conditions':[{'type':'QuotaReserved','status':'True','reason':'R','message':'','lastTransitionTime':'t'}],
          'admission':{'clusterQueue':'q','podSetAssignments':[{'name':'a','count':4,'flavors':{'cpu':'f'},
           'resourceUsage':{'cpu':'4'},'topologyAssignment':{'slices':[{'domainCount':1,'podCounts':{'universal':4}}]}}]},
          'reclaimablePods':[{'name':'a','count':1}],'clusterName':'c','nominatedClusterNames':['c'],
          'admissionChecks':[{'name':'c','state':'Ready','podSetUpdates':[{'name':'a','labels':{'a':'b'}}]}]}}
        """;

    private final Random random;
    private int spareItems = 500;

    RandomJson(Random random) {
      this.random = random;
    }

    JsonNode object() {
      return switch (random.nextInt(7)) {
        case 0 -> any(6);
        case 1 -> mutated(json(TOPOLOGY), 0.15);
        case 2 -> mutated(json(COHORT), 0.08);
        case 3 -> mutated(json(QUEUE), 0.05);
        case 4 -> mutated(json(FLAVOR), 0.08);
        default -> mutated(json(WORKLOAD), 0.05);
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
