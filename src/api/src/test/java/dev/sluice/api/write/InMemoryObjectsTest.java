package dev.sluice.api.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.meta.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InMemoryObjectsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final GroupVersionKind JOB = GroupVersionKind.of("batch/v1", "Job");
  private static final GroupVersionKind POD = GroupVersionKind.of("v1", "Pod");
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");
  private static final String A = "{'metadata':{'name':'a','namespace':'ns'},'spec':{'size':1}}";

  private final List<String> changes = new ArrayList<>();
  private final InMemoryObjects objects =
      new InMemoryObjects(
          (kind, before, after) ->
              changes.add(
                  kind.kind()
                      + (before.isEmpty()
                          ? " created"
                          : after.isEmpty() ? " removed" : " changed")));

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  private JsonNode put(String text) {
    return objects.put(JOB, json(text), NOON);
  }

  private JsonNode job(String name) {
    return objects.find(JOB.groupKind(), "ns", name).orElseThrow();
  }

  private Optional<String> patch(JsonNode seen, String subresource, String patch) {
    String version = seen.at("/metadata/resourceVersion").asText();
    return objects.send(
        new Write.MergePatch(ObjectRef.of(JOB, seen), subresource, json(patch), "test", version),
        NOON);
  }

  @Test
  void whatIsCreatedGetsWhatTheApiServerGives() {
    JsonNode created = put(A);

    assertThat(created.at("/metadata/uid").asText()).isNotEmpty();
    assertThat(created.at("/metadata/creationTimestamp").asText())
        .isEqualTo("2026-01-31T12:00:00Z");
    assertThat(created.at("/metadata/generation").asInt()).isEqualTo(1);
    assertThat(changes).containsExactly("Job created");
  }

  @Test
  void whatIsPutAgainKeepsItsUid() {
    JsonNode first = put(A);

    JsonNode second = put("{'metadata':{'name':'a','namespace':'ns'},'spec':{'size':2}}");

    assertThat(second.at("/metadata/uid")).isEqualTo(first.at("/metadata/uid"));
    assertThat(second.at("/metadata/resourceVersion"))
        .isNotEqualTo(first.at("/metadata/resourceVersion"));
  }

  @Test
  void anObjectOfTheSameNameHasAnotherUid() {
    JsonNode first = put(A);
    objects.delete(JOB.groupKind(), new ObjectKey("ns", "a"), NOON);

    assertThat(put(A).at("/metadata/uid")).isNotEqualTo(first.at("/metadata/uid"));
  }

  @Test
  void createsNothingTwice() {
    put(A);
    Write again = new Write.Create(ObjectRef.of(JOB, json(A)), json(A), "test");

    assertThat(objects.send(again, NOON))
        .hasValueSatisfying(it -> assertThat(it).contains("exists"));
  }

  @Test
  void aPatchOfTheSpecIsANewGeneration() {
    assertThat(patch(put(A), "", "{'spec':{'size':2},'status':{'active':1}}")).isEmpty();

    assertThat(job("a").at("/metadata/generation").asInt()).isEqualTo(2);
    assertThat(job("a").path("status").isMissingNode()).as("no part of the object itself").isTrue();
  }

  @Test
  void aPatchOfTheStatusChangesNothingElse() {
    assertThat(patch(put(A), "status", "{'spec':{'size':2},'status':{'active':1}}")).isEmpty();

    assertThat(job("a").at("/spec/size").asInt()).isEqualTo(1);
    assertThat(job("a").at("/status/active").asInt()).isEqualTo(1);
    assertThat(job("a").at("/metadata/generation").asInt()).isEqualTo(1);
  }

  @Test
  void aPatchThatChangesNothingIsNoChange() {
    JsonNode before = put(A);

    assertThat(patch(before, "", "{'spec':{'size':1}}")).isEmpty();

    assertThat(job("a")).isSameAs(before);
    assertThat(changes).containsExactly("Job created");
  }

  @Test
  void refusesAPatchOfAnotherVersion() {
    JsonNode seen = put(A);
    patch(seen, "", "{'spec':{'size':2}}");

    assertThat(patch(seen, "", "{'spec':{'size':3}}"))
        .hasValueSatisfying(it -> assertThat(it).contains("has changed"));
    assertThat(job("a").at("/spec/size").asInt()).isEqualTo(2);
  }

  @Test
  void refusesAWriteToWhatHadTheNameBefore() {
    JsonNode seen = put(A);
    objects.delete(JOB.groupKind(), new ObjectKey("ns", "a"), NOON);
    put(A);

    assertThat(objects.send(new Write.Delete(ObjectRef.of(JOB, seen)), NOON)).isPresent();
    assertThat(job("a")).isNotNull();
  }

  @Test
  void appliedConditionsReplaceThoseOfTheirType() {
    JsonNode seen =
        put(
            """
            {'metadata':{'name':'a','namespace':'ns'},
             'status':{'active':1,'conditions':[{'type':'A','status':'True'},{'type':'B','status':'True'}]}}\
            """);

    objects.send(
        Write.Apply.ofStatus(
            ObjectRef.of(JOB, seen),
            "",
            json("{'conditions':[{'type':'B','status':'False'},{'type':'C','status':'True'}]}"),
            "test"),
        NOON);

    assertThat(job("a").path("status"))
        .isEqualTo(
            json(
                """
                {'active':1,'conditions':[{'type':'A','status':'True'},{'type':'B','status':'False'},
                 {'type':'C','status':'True'}]}\
                """));
  }

  @Test
  void whatHasFinalizersGoesWithTheLastOfThem() {
    put("{'metadata':{'name':'a','namespace':'ns','finalizers':['f']}}");

    objects.delete(JOB.groupKind(), new ObjectKey("ns", "a"), NOON);
    assertThat(job("a").at("/metadata/deletionTimestamp").asText())
        .isEqualTo("2026-01-31T12:00:00Z");
    patch(job("a"), "", "{'metadata':{'finalizers':[]}}");

    assertThat(objects.find(JOB.groupKind(), "ns", "a")).isEmpty();
    assertThat(changes).containsExactly("Job created", "Job changed", "Job removed");
  }

  @Test
  void whatLostItsLastOwnerGoesWithIt() {
    String one = put(A).at("/metadata/uid").asText();
    String other = put(A.replace("'a'", "'b'")).at("/metadata/uid").asText();
    owned("of-one", one);
    owned("of-both", one, other);
    owned("of-a-stranger", "never-here");

    objects.delete(JOB.groupKind(), new ObjectKey("ns", "a"), NOON);
    objects.collectGarbage(NOON);

    assertThat(objects.all(POD.groupKind()))
        .extracting(it -> it.at("/metadata/name").asText())
        .containsExactly("of-a-stranger", "of-both");
  }

  @Test
  void deletesWhatIsCreatedAfterItsOwnerWent() {
    String uid = put(A).at("/metadata/uid").asText();
    objects.delete(JOB.groupKind(), new ObjectKey("ns", "a"), NOON);
    objects.collectGarbage(NOON);
    owned("late", uid);

    objects.collectGarbage(NOON);

    assertThat(objects.all(POD.groupKind())).isEmpty();
  }

  private void owned(String name, String... owners) {
    ObjectNode pod = json("{'metadata':{'name':'%s','namespace':'ns'}}".formatted(name));
    for (String owner : owners) {
      pod.withArray("/metadata/ownerReferences")
          .addObject()
          .put("uid", owner)
          .put("controller", owner.equals(owners[0]));
    }
    objects.put(POD, pod, NOON);
  }

  @Test
  void findsWhatAnOwnerControlsByItsUid() {
    String one = put(A).at("/metadata/uid").asText();
    String other = put(A.replace("'a'", "'b'")).at("/metadata/uid").asText();
    owned("y", one);
    owned("x", one);
    owned("shared", other, one);

    assertThat(objects.controlledBy(POD.groupKind(), one))
        .extracting(it -> it.at("/metadata/name").asText())
        .containsExactly("x", "y");
    assertThat(objects.controlledBy(JOB.groupKind(), one)).isEmpty();
  }
}
