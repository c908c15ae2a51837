package dev.sluice.scheduler.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.ObjectChange;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.scheduler.faults.AnyApiServer;
import dev.sluice.scheduler.store.Kinds;
import dev.sluice.scheduler.store.Objects;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A watch has shown one PodTemplate of a Workload; more was written since. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // set before each test
class LiveProvisioningWorldTest {
  private static final GroupKind TEMPLATE = Kinds.POD_TEMPLATE.groupKind();
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");

  @TempDir private Path folder;
  private AnyApiServer server;
  private Connection connection;
  private WatchedView view;
  private Objects objects;
  private LiveProvisioningWorld world;

  @BeforeEach
  void see() throws IOException {
    server =
        new AnyApiServer(
            "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[%s]}"
                .formatted(template("Workload", "w", 3)),
            "");
    connection = Connection.to(server.kubeconfig(folder));
    WatchedKind kind =
        new WatchedKind(Kinds.POD_TEMPLATE, Optional.of("podtemplates"), Keep.ALL, false);
    view = new WatchedView(connection, List.of(kind), WatchTimes.EAGER, new Random(1));
    view.start();
    await().atMost(Duration.ofSeconds(60)).until(() -> view.knows(TEMPLATE));
    objects = new Objects(view);
    world = new LiveProvisioningWorld(objects);
    world.note(TEMPLATE, new ObjectChange(Optional.empty(), Optional.of(shown())));
  }

  @AfterEach
  void close() {
    view.close();
    connection.close();
    server.close();
  }

  private static String template(String ownerKind, String owner, int version) {
    String group =
        ownerKind.equals("Workload") ? "kueue.x-k8s.io/v1beta2" : "autoscaling.x-k8s.io/v1";
    return """
    {"metadata":{"namespace":"ns","name":"t","uid":"u","resourceVersion":"%d","ownerReferences":[{
    "apiVersion":"%s","kind":"%s","name":"%s","uid":"o","controller":true}]}}\
    """
        .formatted(version, group, ownerKind, owner);
  }

  private static JsonNode read(String json) {
    return ProvisioningStory.read(json);
  }

  private JsonNode shown() {
    return objects.find(TEMPLATE, "ns", "t").orElseThrow();
  }

  @Test
  void aPodTemplateIsOfTheWorkloadThatControlsIt() {
    assertThat(world.templatesOfWorkload(WORKLOAD)).containsExactly(shown());
    assertThat(world.templatesOfWorkload(new ObjectKey("other", "w"))).isEmpty();
  }

  @Test
  void aPodTemplateThatARequestAdoptedIsOfTheWorkloadNoMoreBeforeTheWatchTellsThat() {
    objects.wrote(TEMPLATE, read(template("ProvisioningRequest", "w-nodes-1", 7)));

    assertThat(world.templatesOfWorkload(WORKLOAD)).isEmpty();
  }

  @Test
  void whatThisProcessDeletedIsLeavingUntilTheWatchShowsItsEnd() {
    assertThat(world.isLeaving(shown())).isFalse();
    world.deleted(ObjectRef.of(Kinds.POD_TEMPLATE, shown()));

    assertThat(world.isLeaving(shown())).isTrue();

    JsonNode last = shown();
    world.note(TEMPLATE, new ObjectChange(Optional.of(last), Optional.empty()));
    assertThat(world.isLeaving(last)).isFalse();
  }

  @Test
  void whatIsBeingDeletedIsLeaving() {
    assertThat(world.isLeaving(read("{'metadata':{'uid':'x','deletionTimestamp':'t'}}"))).isTrue();
  }

  @Test
  void theWorkloadOfAChangedPodTemplateIsLookedAt() {
    assertThat(
            world.concernedBy(TEMPLATE, new ObjectChange(Optional.empty(), Optional.of(shown()))))
        .containsExactly(WORKLOAD);
  }
}
