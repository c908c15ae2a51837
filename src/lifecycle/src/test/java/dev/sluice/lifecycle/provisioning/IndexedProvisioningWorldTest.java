package dev.sluice.lifecycle.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.lifecycle.store.ObjectCache;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A watch has shown one PodTemplate of a Workload; more may have been written since. */
class IndexedProvisioningWorldTest {
  private static final GroupKind TEMPLATE = ProvisioningKinds.POD_TEMPLATE.groupKind();
  private static final ObjectKey WORKLOAD = new ObjectKey("ns", "w");

  /** All objects, by kind and name. */
  private static final class Memory implements ObjectCache {
    private final Map<String, JsonNode> objects = new HashMap<>();
    private long reached = 5;

    void put(GroupKind kind, JsonNode object) {
      objects.put(kind + " " + ObjectKey.of(object), object);
    }

    @Override
    public Optional<JsonNode> find(GroupKind kind, String namespace, String name) {
      return Optional.ofNullable(objects.get(kind + " " + new ObjectKey(namespace, name)));
    }

    @Override
    public List<JsonNode> controlledBy(GroupKind kind, String uid) {
      return List.of();
    }

    @Override
    public Collection<JsonNode> all(GroupKind kind) {
      return List.copyOf(objects.values());
    }

    @Override
    public boolean watches(GroupKind kind) {
      return true;
    }

    @Override
    public boolean knows(GroupKind kind) {
      return true;
    }

    @Override
    public long reached(GroupKind kind) {
      return reached;
    }
  }

  private final Memory objects = new Memory();
  private final IndexedProvisioningWorld world = new IndexedProvisioningWorld(objects);

  @BeforeEach
  void see() {
    objects.put(TEMPLATE, template("kueue.x-k8s.io/v1beta2", "Workload", "w", 3));
    world.note(TEMPLATE, new ObjectChange(Optional.empty(), Optional.of(shown())));
  }

  private static JsonNode template(String group, String ownerKind, String owner, int version) {
    return ProvisioningStory.read(
        """
        {'metadata':{'namespace':'ns','name':'t','uid':'u','resourceVersion':'%d',
        'ownerReferences':[{'apiVersion':'%s','kind':'%s','name':'%s','uid':'o',
        'controller':true}]}}\
        """
            .formatted(version, group, ownerKind, owner));
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
  void aPodTemplateThatARequestAdoptedIsNoMoreOfTheWorkloadBeforeTheWatchTellsThat() {
    objects.put(
        TEMPLATE, template("autoscaling.x-k8s.io/v1", "ProvisioningRequest", "w-nodes-1", 7));

    assertThat(world.templatesOfWorkload(WORKLOAD)).isEmpty();
  }

  @Test
  void whatThisProcessDeletedIsLeavingUntilTheWatchShowsItsEnd() {
    assertThat(world.isLeaving(shown())).isFalse();
    world.deleted(ObjectRef.of(ProvisioningKinds.POD_TEMPLATE, shown()));

    assertThat(world.isLeaving(shown())).isTrue();

    JsonNode last = shown();
    world.note(TEMPLATE, new ObjectChange(Optional.of(last), Optional.empty()));
    assertThat(world.isLeaving(last)).isFalse();
  }

  @Test
  void whatIsBeingDeletedIsLeaving() {
    assertThat(
            world.isLeaving(
                ProvisioningStory.read("{'metadata':{'uid':'x','deletionTimestamp':'t'}}")))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"2, false", "3, true", "4, true"})
  void requestsAreKnownUpToTheVersionThatTheirWatchHasReached(long reached, boolean known) {
    objects.reached = reached;

    assertThat(world.knowsRequestsBefore(shown())).isEqualTo(known);
  }

  @Test
  void theWorkloadOfAChangedPodTemplateIsLookedAt() {
    assertThat(
            world.concernedBy(TEMPLATE, new ObjectChange(Optional.empty(), Optional.of(shown()))))
        .containsExactly(WORKLOAD);
  }
}
