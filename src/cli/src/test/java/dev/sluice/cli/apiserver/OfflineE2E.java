package dev.sluice.cli.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Commands;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.schema.KindSchema;
import dev.sluice.cli.schema.KindSchemas;
import dev.sluice.cli.schema.UnknownField;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.Manifests;
import dev.sluice.rules.FieldError;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.json.SpelledJson;
import dev.sluice.testkit.json.SpelledJson.JsonObject;
import dev.sluice.testkit.random.Mutations;
import dev.sluice.testkit.random.SchemaObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is said offline of an object is what an API server with Sluice says of it. */
@FullTier
@NeedsDevCluster
class OfflineE2E {
  private static final int DRAWN = Tier.number("sluice.offline.objects", 4, 24);
  private static final int EDITS_OF_STORED = 3;
  private static final long SEED = Long.getLong("sluice.offline.seed", 20260201);
  private static final long NEW_SEED = SEED + 1_000_000; // seeds are names: none of what is stored
  private static final Set<String> WRITTEN_BY_CLIENTS = Set.of("apiVersion", "kind", "metadata");
  private static final Pattern UNKNOWN = Pattern.compile("unknown field \"([^\"]*)\"");
  private static final JsonMapper JSON = new JsonMapper();
  private static final KindSchemas SCHEMAS = new KindSchemas();
  private static final Tally TALLY = new Tally();

  @TempDir Path folder;

  /** So that a generator that only draws what is refused, or only what is taken, is seen. */
  private static final class Tally {
    private int taken;
    private int bySchema;
    private int byRules;
  }

  static Stream<Arguments> kindsAndVersions() {
    return Stream.of(ApiKind.values())
        .flatMap(kind -> kind.versions().stream().map(version -> Arguments.of(kind, version)));
  }

  @AfterAll
  static void everyAnswerCameOften() {
    assertThat(TALLY.taken).as("taken").isGreaterThan(Tier.number(25, 100));
    assertThat(TALLY.bySchema).as("refused by schemas").isGreaterThan(Tier.number(25, 100));
    assertThat(TALLY.byRules).as("refused by our rules").isGreaterThan(Tier.number(1, 5));
  }

  @ParameterizedTest
  @MethodSource("kindsAndVersions")
  void ofObjectsThatAreCreated(ApiKind kind, ApiVersion version, DevCluster cluster)
      throws Exception {
    ApiClient api = cluster.controlPlane().client();
    List<JsonObject> objects = new ArrayList<>();
    for (int i = 0; i < DRAWN; i++) {
      JsonObject drawn = draw(kind, version, NEW_SEED + i);
      objects.add(i % 3 == 0 ? drawn : edit(drawn, NEW_SEED + i));
    }

    List<Set<String>> offline = validate(objects, List.of());

    for (int i = 0; i < DRAWN; i++) {
      String text = objects.get(i).write();
      var answer = api.create(Kueue.collection(kind, version) + "?dryRun=All", text);
      compare(SCHEMAS.of(kind, version), text, null, answer, offline.get(i));
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndVersions")
  void ofObjectsThatAreUpdated(ApiKind kind, ApiVersion version, DevCluster cluster)
      throws Exception {
    ApiClient api = cluster.controlPlane().client();
    List<JsonObject> stored = new ArrayList<>();
    for (int i = 0; i < DRAWN / 2; i++) {
      String object = draw(kind, version, SEED + i).write();
      if (api.create(Kueue.collection(kind, version), object).isSuccess()) {
        String path = Kueue.path(kind, version, name(version, SEED + i));
        stored.add((JsonObject) SpelledJson.parse(api.get(path).orThrow().body()));
      }
    }

    for (int round = 0; round < EDITS_OF_STORED; round++) {
      List<JsonObject> edited = new ArrayList<>();
      for (int i = 0; i < stored.size(); i++) {
        edited.add(edit(stored.get(i), SEED + 100L * round + i));
      }
      List<Set<String>> offline = validate(edited, stored);
      for (int i = 0; i < stored.size(); i++) {
        String text = edited.get(i).write();
        String name = JSON.readTree(text).at("/metadata/name").asText();
        var answer = api.put(Kueue.path(kind, version, name) + "?dryRun=All", text);
        compare(SCHEMAS.of(kind, version), text, stored.get(i).write(), answer, offline.get(i));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndVersions")
  void ofFieldsThatNobodyKnows(ApiKind kind, ApiVersion version, DevCluster cluster)
      throws Exception {
    ApiClient api = cluster.controlPlane().client();
    KindSchema schema = SCHEMAS.of(kind, version);
    for (int i = 0; i < DRAWN / 4; i++) {
      String text =
          Mutations.mutateKeeping(
                  new Random(SEED + i),
                  draw(kind, version, NEW_SEED + i),
                  Set.of("apiVersion", "kind"))
              .write();

      var received = schema.receive(JSON.readTree(text));

      if (schema.check(received.object(), null).violations().isEmpty()
          && received.violations().isEmpty()) {
        String strictly = Kueue.collection(kind, version) + "?dryRun=All&fieldValidation=Strict";
        var answer = api.create(strictly, text);
        Set<String> online = new TreeSet<>();
        UNKNOWN
            .matcher(answer.json().path("message").asText())
            .results()
            .forEach(found -> online.add(found.group(1)));
        assertThat(received.unknown())
            .as(() -> text + "\n" + answer.body())
            .extracting(UnknownField::path)
            .filteredOn(path -> path.indexOf('"') < 0) // which the message does not escape
            .containsExactlyInAnyOrderElementsOf(online);
      }
    }
  }

  private static JsonObject draw(ApiKind kind, ApiVersion version, long seed) {
    JsonNode schema = new Manifests().schema(kind, version);
    return SchemaObjects.draw(
        new Random(seed), schema, version.groupVersion(), kind.kind(), name(version, seed));
  }

  private static String name(ApiVersion version, long seed) {
    return "offline-" + version + "-" + seed;
  }

  private static JsonObject edit(JsonObject object, long seed) {
    return Mutations.mutateKeeping(new Random(seed), object, WRITTEN_BY_CLIENTS);
  }

  /** The fields for which {@code sluice validate} refuses each of these objects. */
  private List<Set<String>> validate(List<JsonObject> objects, List<JsonObject> stored)
      throws Exception {
    Path now = Files.writeString(folder.resolve("now.json"), lines(objects));
    Path old = Files.writeString(folder.resolve("old.json"), lines(stored));
    List<Set<String>> fields = new ArrayList<>();
    JsonNode findings =
        JSON.readTree(
            Commands.run("validate", "-f", now + "", "--old", old + "", "-o", "json").out());
    for (JsonObject object : objects) {
      String name = JSON.readTree(object.write()).at("/metadata/name").asText();
      Set<String> ofObject = new TreeSet<>();
      for (JsonNode finding : findings) {
        if (finding.path("severity").asText().equals("error")
            && finding.path("object").asText().endsWith(name + "\"")) {
          ofObject.add(finding.path("field").asText());
        }
      }
      fields.add(ofObject);
    }
    return fields;
  }

  private static String lines(List<JsonObject> objects) {
    StringBuilder lines = new StringBuilder();
    objects.forEach(object -> lines.append(object.write()).append('\n'));
    return lines.toString();
  }

  private static void compare(
      KindSchema schema,
      String text,
      @Nullable String stored,
      ApiClient.Response answer,
      Set<String> offline)
      throws Exception {
    String story = text + "\n-> " + answer.status() + " " + answer.body();
    assertThat(offline.isEmpty()).as("taken offline: " + story).isEqualTo(answer.isSuccess());
    if (answer.isSuccess()) {
      TALLY.taken++;
    } else if (answer.status() == 422) {
      TALLY.bySchema++;
      assertThat(bySchema(schema, text, stored)).as(story).isEqualTo(causes(answer.json()));
    } else if (answer.status() == 403) {
      TALLY.byRules++;
      assertThat(bySchema(schema, text, stored)).as(story).isEmpty();
      assertThat(answer.json().path("message").asText()).contains(offline);
    }
  }

  /** The fields that the API server names; a number beyond its format it names in the text only. */
  private static Set<String> causes(JsonNode status) {
    Set<String> fields = new TreeSet<>();
    for (JsonNode cause : status.at("/details/causes")) {
      String message = cause.path("message").asText();
      String unnamed = "with format int32 in ";
      int at = message.indexOf(unnamed);
      boolean isNamed = at < 0 || !cause.path("field").asText().equals("<nil>");
      fields.add(isNamed ? cause.path("field").asText() : message.substring(at + unnamed.length()));
    }
    return fields;
  }

  private static Set<String> bySchema(KindSchema schema, String text, @Nullable String stored)
      throws Exception {
    JsonNode old = stored == null ? null : schema.receive(JSON.readTree(stored)).object();
    var sent = schema.withStoredStatus(schema.receive(JSON.readTree(text)).object(), old);
    var verdict = schema.check(sent, old);
    Set<String> fields = new TreeSet<>();
    for (FieldError violation : verdict.violations()) {
      fields.add(violation.field().isEmpty() ? "<nil>" : violation.field());
    }
    if (verdict.leftOutRules()) {
      fields.add("<nil>");
    }
    return fields;
  }
}
