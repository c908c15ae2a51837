package dev.sluice.jobs.admission;

import static dev.sluice.jobs.admission.JobScene.EMPTY;
import static dev.sluice.rules.Reviews.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.RuleInput.Operation;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.view.ObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of defaulting and checking, over jobs of all kinds that are bent in every way. */
class AdmittedJobLawsTest {
  private static final int ROUNDS = 60;
  private static final List<String> KEYS =
      List.of(
          Labels.QUEUE_NAME,
          Labels.PRIORITY_CLASS,
          Labels.MAX_EXEC_TIME,
          Labels.PREBUILT_WORKLOAD,
          Labels.MANAGED,
          Annotations.ELASTIC_JOB,
          Annotations.ADMISSION_GATED_BY,
          Annotations.POD_SUSPENDING_PARENT,
          Labels.POD_GROUP_NAME,
          Annotations.POD_GROUP_TOTAL_COUNT,
          Annotations.POD_GROUP_POD_INDEX_LABEL,
          Annotations.ROLE_HASH,
          Annotations.JOB_MIN_PARALLELISM,
          Annotations.JOB_SYNC_COMPLETIONS,
          Annotations.REQUIRED_TOPOLOGY,
          Annotations.PREFERRED_TOPOLOGY,
          Annotations.SLICE_REQUIRED_TOPOLOGY,
          Annotations.SLICE_SIZE,
          Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS,
          Annotations.POD_SET_GROUP_NAME,
          "kueue.x-k8s.io/unknown");
  private static final List<String> VALUES =
      List.of("", "q", "default", "true", "false", "1", "2", "-1", "Bad_Name", "a.b/c", "[]", "w");
  private static final List<String> WRONG =
      List.of(
          "null", "3", "true", "'text'", "[]", "{}", "[1]", "[{}]", "[null]", "1e99", "{'a':{}}");

  static Stream<Long> seeds() {
    return IntStream.range(0, JobKinds.standard().size() * 4).mapToObj(Long::valueOf);
  }

  private static JsonNode random(Random random, JsonNode sample) {
    ObjectNode job = sample.deepCopy();
    for (int i = random.nextInt(4); i > 0; i--) {
      mark(random, job.withObject("/metadata"));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      bend(random, job);
    }
    return job;
  }

  private static void mark(Random random, ObjectNode metadata) {
    String map = random.nextBoolean() ? "labels" : "annotations";
    ObjectNode members =
        metadata.path(map) instanceof ObjectNode found ? found : metadata.putObject(map);
    members.put(pick(random, KEYS), pick(random, VALUES));
  }

  private static void bend(Random random, ObjectNode job) {
    List<ObjectNode> objects = new ArrayList<>();
    collect(job, objects);
    ObjectNode victim = pick(random, objects);
    List<String> names = new ArrayList<>();
    victim.fieldNames().forEachRemaining(names::add);
    boolean isIdentity = victim.has("apiVersion") && victim.has("kind");
    names.removeAll(isIdentity ? List.of("apiVersion", "kind") : List.of());
    switch (random.nextInt(3)) {
      case 0 -> victim.set(names.isEmpty() ? "x" : pick(random, names), json(pick(random, WRONG)));
      case 1 -> {
        if (!names.isEmpty()) {
          victim.remove(pick(random, names));
        }
      }
      default -> mark(random, victim.path("metadata") instanceof ObjectNode it ? it : victim);
    }
  }

  private static void collect(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) {
      objects.add(object);
    }
    node.forEach(child -> collect(child, objects));
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static ReviewContext world(Random random) {
    JobScene scene = random.nextBoolean() ? EMPTY : EMPTY.managingAll();
    scene = random.nextBoolean() ? scene : scene.withQueue("default").withQueue("q");
    scene = random.nextBoolean() ? scene : scene.withPriorityClass("default");
    return new ReviewContext(ObjectView.of(scene.objects()), scene.settings());
  }

  private static JsonNode sample(long seed) {
    List<JobIntegration> all = JobKinds.standard();
    return SampleJobs.of(all.get((int) (seed % all.size())).framework());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aSecondPassChangesNothing(long seed) {
    Random random = new Random(seed);
    JsonNode sample = sample(seed);
    KindRules rules = JobScene.rules(sample);
    for (int i = 0; i < ROUNDS; i++) {
      JsonNode job = random(random, sample);
      RuleInput input = new RuleInput(Operation.CREATE, job, null, world(random));

      PatchRecorder once = rules.apply(input, new ValidationResult());
      PatchRecorder twice = rules.apply(input.with(once.object()), new ValidationResult());

      assertThat(twice.edits()).as(job.toString()).isEmpty();
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void anAcceptedObjectIsAcceptedAgainUnchanged(long seed) {
    Random random = new Random(seed);
    JsonNode sample = sample(seed);
    KindRules rules = JobScene.rules(sample);
    for (int i = 0; i < ROUNDS; i++) {
      RuleInput input =
          new RuleInput(Operation.CREATE, random(random, sample), null, world(random));
      JsonNode stored = rules.apply(input, new ValidationResult()).object();
      RuleInput again = new RuleInput(Operation.UPDATE, stored, stored, input.world());

      if (!rules.check(input.with(stored)).refuse()) {
        assertThat(rules.check(again).violations()).as(stored.toString()).isEmpty();
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theRecordedPatchMakesTheObjectThatTheRecorderShows(long seed) {
    Random random = new Random(seed);
    JsonNode sample = sample(seed);
    for (int i = 0; i < ROUNDS; i++) {
      JsonNode job = random(random, sample);
      RuleInput input = new RuleInput(Operation.CREATE, job, null, world(random));
      PatchRecorder draft = JobScene.rules(sample).apply(input, new ValidationResult());

      assertThat(patched(job, draft.edits())).isEqualTo(draft.object());
    }
  }

  /** As an API server applies a JSON patch. */
  private static JsonNode patched(JsonNode object, List<PatchRecorder.Edit> edits) {
    JsonNode copy = object.deepCopy();
    for (PatchRecorder.Edit edit : edits) {
      int slash = edit.path().lastIndexOf('/');
      JsonNode parent = copy.at(edit.path().substring(0, slash));
      String last = edit.path().substring(slash + 1).replace("~1", "/").replace("~0", "~");
      assertThat(parent.isContainerNode()).as(edit.path()).isTrue();
      if (parent instanceof ArrayNode list) {
        assertThat(last).isEqualTo("-");
        list.add(edit.value());
      } else {
        ((ObjectNode) parent).set(last, edit.value());
      }
    }
    return copy.isMissingNode() ? JsonNodeFactory.instance.objectNode() : copy;
  }
}
