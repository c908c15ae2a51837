package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.server.reply.Reply;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway.Init") // set before each test
class NodeAnswersTest {
  private static final String RACKS = "topologies/dc/domains?under=b1";

  @TempDir private Path folder;
  private final LiveQueues queues = new LiveQueues();
  private Asked asked;

  @BeforeEach
  void twoBlocksOfNodes() throws IOException {
    queues.store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Topology','metadata':{'name':'dc'},
        'spec':{'levels':[{'nodeLabel':'block'},{'nodeLabel':'rack'},
        {'nodeLabel':'kubernetes.io/hostname'}]}}\
        """);
    flavor("gpu", "'topologyName':'dc'");
    flavor("lost", "'topologyName':'nowhere'");
    flavor("plain", "'nodeLabels':{'block':'b2'}");
    node("b1", "r1", "n1", true);
    node("b1", "r1", "n2", true);
    node("b1", "r2", "n3", false);
    node("b2", "r3", "n4", true);
    asked = new Asked(queues, folder, Runnable::run);
  }

  @AfterEach
  void end() {
    asked.close();
  }

  private void flavor(String name, String spec) {
    queues.store(
        """
        {'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ResourceFlavor','metadata':{'name':'%s'},
        'spec':{%s}}\
        """
            .formatted(name, spec));
  }

  private void node(String block, String rack, String name, boolean ready) {
    queues.store(
        """
        {'apiVersion':'v1','kind':'Node','metadata':{'name':'%s','labels':{'block':'%s','rack':'%s',
        'kubernetes.io/hostname':'%1$s'}},'status':{'allocatable':{'cpu':'8','pods':'110',
        'nvidia.com/gpu':'4'},'conditions':[{'type':'Ready','status':'%s'}]}}\
        """
            .formatted(name, block, rack, ready ? "True" : "False"));
  }

  private JsonNode ok(String path) {
    Reply reply = asked.get("admin", path);
    assertThat(reply.status()).as(new String(reply.body(), UTF_8)).isEqualTo(200);
    return Asked.json(reply);
  }

  @Test
  void theInventoryHasEachFlavorWithItsLevelsAndNodes() {
    JsonNode inventory = ok("inventory");

    assertThat(inventory.path("nodes").asInt()).isEqualTo(4);
    assertThat(inventory.path("topologies").toString()).isEqualTo("[\"dc\"]");
    assertThat(inventory.at("/items/0").toString())
        .isEqualTo(
            """
            {"flavor":"gpu","topology":"dc","levels":["block","rack","kubernetes.io/hostname"],\
            "nodes":4,"resources":["cpu","nvidia.com/gpu","pods"]}\
            """);
    assertThat(inventory.at("/items/1/problem").asText())
        .isEqualTo("Topology nowhere does not exist");
    assertThat(inventory.at("/items/2").toString())
        .isEqualTo(
            """
            {"flavor":"plain","levels":["kubernetes.io/hostname"],"nodes":1,\
            "resources":["cpu","nvidia.com/gpu","pods"]}\
            """);
  }

  @Test
  void domainsAreThoseOfTheNextLevelWithWhatTheyHave() {
    JsonNode racks = ok(RACKS + "&resource=nvidia.com/gpu");

    assertThat(racks.path("level").asText()).isEqualTo("rack");
    assertThat(racks.path("resources").toString())
        .isEqualTo("[\"cpu\",\"nvidia.com/gpu\",\"pods\"]");
    assertThat(racks.path("items").toString())
        .isEqualTo(
            """
            [{"name":"r1","nodes":2,"amounts":[{"resource":"nvidia.com/gpu","capacity":"8",\
            "used":"0","free":"8"}]},\
            {"name":"r2","nodes":1,"notReady":1,"amounts":[{"resource":"nvidia.com/gpu",\
            "capacity":"4","used":"0","free":"0"}]}]\
            """);
    assertThat(racks.at("/sum/amounts/0/capacity").asText()).isEqualTo("12");
    assertThat(ok("topologies/dc/domains").path("items").findValuesAsText("name"))
        .containsExactly("b1", "b2");
  }

  @Test
  void anotherLevelAndAPageOfItCanBeAskedFor() {
    JsonNode hosts = ok("topologies/dc/domains?level=kubernetes.io/hostname&limit=2&offset=1");

    assertThat(hosts.path("total").asInt()).isEqualTo(4);
    assertThat(hosts.path("items").findValuesAsText("name"))
        .containsExactly("b1/r1/n2", "b1/r2/n3");
    assertThat(hosts.at("/sum/nodes").asInt()).as("of all of them").isEqualTo(4);
  }

  @Test
  void gangsAreCountedInEachDomain() {
    JsonNode racks = ok(RACKS + "&pods=3&requests=nvidia.com/gpu:2,cpu:1");

    assertThat(racks.path("gang").toString())
        .isEqualTo("{\"pods\":3,\"requests\":{\"cpu\":\"1\",\"nvidia.com/gpu\":\"2\"}}");
    assertThat(racks.at("/items/0/gangs").asInt()).as("4 pods in two nodes").isEqualTo(1);
    assertThat(racks.at("/items/1/gangs").asInt(-1)).isZero();
    assertThat(racks.at("/sum/gangs").asInt()).isEqualTo(1);
  }

  @Test
  void aFlavorWithoutTopologyShowsItsNodes() {
    JsonNode nodes = ok("resourceflavors/plain/domains");

    assertThat(nodes.has("topology")).isFalse();
    assertThat(nodes.path("items").findValuesAsText("name")).containsExactly("n4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topologies/none/domains | 404 | not found",
        "topologies/dc/domains?flavor=plain | 404 | not found",
        "resourceflavors/none/domains | 404 | not found",
        "resourceflavors/lost/domains | 409 | Topology nowhere does not exist",
        "topologies/dc/domains?under=b1/r1/n1 | 400 | at most 2 values",
        "topologies/dc/domains?under=b1&level=block | 400 | [rack, kubernetes.io/hostname]",
        "topologies/dc/domains?level=row | 400 | expected: one of",
        "topologies/dc/domains?pods=0&requests=cpu:1 | 400 | expected: a whole number from 1",
        "topologies/dc/domains?pods=4 | 400 | such as cpu:4,memory:8Gi",
        "topologies/dc/domains?requests=cpu:-4 | 400 | such as cpu:4,memory:8Gi",
        "topologies/dc/domains?requests=cpu | 400 | such as cpu:4,memory:8Gi",
      })
  void wrongQuestionsAreToldWhatIsExpected(String path, int status, String message) {
    Reply reply = asked.get("admin", path);

    assertThat(reply.status()).isEqualTo(status);
    assertThat(Asked.json(reply).path("message").asText()).contains(message);
  }

  @Test
  void aPageOfAHundredDomainsIsSmall() {
    for (int i = 0; i < 5_000; i++) {
      node("b3", "rack-" + i / 50, "node-" + (1_000 + i), true);
    }

    Reply page =
        asked.get("admin", "topologies/dc/domains?under=b3&resource=nvidia.com/gpu&limit=100");

    assertThat(Asked.json(page).path("items")).hasSize(100);
    assertThat(page.body().length).isLessThan(15_000);
  }
}
