package dev.sluice.server.rehearse;

import static dev.sluice.testkit.json.SingleQuoted.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.server.rehearse.RehearsalStore.Change;
import dev.sluice.server.rehearse.RehearsalStore.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The store answers as an API server does, as far as a rehearsal needs it. */
class RehearsalStoreTest {
  private static final ObjectPath JOBS = new ObjectPath("/apis/batch/v1", "a", "jobs", "");
  private static final ObjectPath ALL = new ObjectPath("/apis/batch/v1", "", "jobs", "");
  private static final ObjectPath ONE = JOBS.named("one");

  private final RehearsalStore store = new RehearsalStore();

  @Test
  void aCreateGivesAnObjectItsIdentityAndASecondOneOfThatNameConflicts() {
    Outcome created = store.create(JOBS, json("{'metadata':{'name':'one'},'spec':{}}"));

    assertThat(created.status()).isEqualTo(201);
    assertThat(created.body().path("metadata").properties())
        .extracting(Map.Entry::getKey)
        .contains("uid", "namespace", "generation", "resourceVersion", "creationTimestamp");
    assertThat(store.create(JOBS, json("{'metadata':{'name':'one'}}")).status()).isEqualTo(409);
    assertThat(store.get(ONE).body()).isEqualTo(created.body());
  }

  @Test
  void onlyAChangeOfTheSpecIsANewGeneration() {
    store.create(JOBS, json("{'metadata':{'name':'one'},'spec':{'suspend':true}}"));
    JsonNode status = store.patch(ONE, json("{'status':{'active':1}}")).body();
    JsonNode spec = store.patch(ONE, json("{'spec':{'suspend':false}}")).body();

    assertThat(status.at("/metadata/generation").asInt()).isEqualTo(1);
    assertThat(spec.at("/metadata/generation").asInt()).isEqualTo(2);
    assertThat(spec.at("/status/active").asInt()).isEqualTo(1);
  }

  @Test
  void aPatchOfAnOlderVersionConflictsAndOneThatChangesNothingIsNoChange() {
    JsonNode first = store.create(JOBS, json("{'metadata':{'name':'one'},'spec':{}}")).body();
    String version = first.at("/metadata/resourceVersion").asText();
    JsonNode same = store.patch(ONE, json("{'spec':{}}")).body();
    store.patch(ONE, json("{'spec':{'suspend':true}}"));
    JsonNode demanding = json("{'metadata':{'resourceVersion':'" + version + "'},'spec':null}");

    assertThat(same).isEqualTo(first);
    assertThat(store.patch(ONE, demanding).status()).isEqualTo(409);
  }

  @Test
  void aWatchTellsTheChangesOfAllNamespacesAfterAListInTheirOrder() throws InterruptedException {
    store.create(JOBS, json("{'metadata':{'name':'one'},'spec':{}}"));
    JsonNode list = store.list(ALL);
    long listed = list.at("/metadata/resourceVersion").asLong();
    store.patch(ONE, json("{'spec':{'suspend':true}}"));
    store.delete(ONE);

    List<Change> changes = store.changesAfter(ALL, listed, Duration.ofMinutes(1));

    assertThat(list.path("items")).hasSize(1);
    assertThat(changes).extracting(Change::type).containsExactly("MODIFIED", "DELETED");
    assertThat(store.list(ALL).path("items")).isEmpty();
    assertThat(store.get(ONE).status()).isEqualTo(404);
    assertThat(store.delete(ONE).status()).isEqualTo(404);
  }

  @Test
  void aWatchWithoutChangesEndsAfterItsPatience() throws InterruptedException {
    assertThat(store.changesAfter(ALL, 0, Duration.ofMillis(1))).isEmpty();
  }
}
