package dev.sluice.lifecycle.provisioning;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.AdmissionCheckState;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.workload.WorkloadView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster in which the plans for one Workload are carried out; the test is the autoscaler. */
abstract class ProvisioningStory implements ProvisioningWorld {
  private static final ObjectMapper JSON = new ObjectMapper();
  static final Instant T = Instant.parse("2026-11-21T12:00:00Z");
  static final ObjectKey KEY = new ObjectKey("ns", "w");
  static final String RESERVED = condition("QuotaReserved", true);
  static final String PENDING =
      "{'name':'nodes','state':'Pending','message':'','lastTransitionTime':'2026-11-21T11:00:00Z'}";

  final Map<String, CheckActivity> checks = new HashMap<>();
  final Map<String, JsonNode> flavors = new HashMap<>();
  final Map<String, ObjectNode> requests = new TreeMap<>();
  final Map<String, ObjectNode> templates = new TreeMap<>();

  /** The uids of what is deleted and not gone yet. */
  final Set<String> leaving = new HashSet<>();

  final List<String> events = new ArrayList<>();
  @Nullable ObjectNode workload;
  Instant now = T;
  boolean cleansUpOnEviction = true;
  boolean splits;
  boolean knowsRequests = true;
  private int uids;

  ProvisioningStory() {
    checks.put("nodes", active("{'provisioningClassName':'class'}"));
    flavors.put("plain", read("{'spec':{}}"));
    holds(RESERVED, PENDING);
  }

  static ObjectNode read(String json) {
    try {
      return (ObjectNode) JSON.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  static CheckActivity active(String config) {
    return new CheckActivity.Active(
        HubObjects.read(ProvisioningRequestConfigSpec.class, (JsonNode) read(config)));
  }

  static String condition(String type, boolean holds) {
    return condition(type, holds, "");
  }

  static String condition(String type, boolean holds, String message) {
    return """
    {'type':'%s','status':'%s','reason':'R','message':'%s',
    'lastTransitionTime':'2026-11-21T11:00:00Z'}\
    """
        .formatted(type, holds ? "True" : "False", message);
  }

  /** The Workload has two pods and quota of flavor plain, these conditions and these checks. */
  final void holds(String conditions, String checks) {
    workload =
        read(
            """
            {'metadata':{'name':'w','namespace':'ns','uid':'u','resourceVersion':'7'},
            'spec':{'podSets':[{'name':'main','count':2,'template':{'metadata':{'labels':{
            'app':'a'}},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{
            'cpu':'1'}}}]}}}]},
            'status':{'admission':{'clusterQueue':'cq','podSetAssignments':[{'name':'main',
            'flavors':{'cpu':'plain'},'resourceUsage':{'cpu':'2'},'count':2}]},
            'conditions':[%s],'admissionChecks':[%s]}}\
            """
                .formatted(conditions, checks));
  }

  final ObjectNode workload() {
    return requireNonNull(workload);
  }

  final Workload typed() {
    return HubObjects.read(Workload.class, (JsonNode) workload());
  }

  /** The state of the only check. */
  final AdmissionCheckState state() {
    return typed().status().admissionChecks().getFirst();
  }

  final String told() {
    return state().state().text() + ": " + state().message();
  }

  final ProvisioningPlan plan() {
    Optional<CheckedWorkload> checked =
        workload == null
            ? Optional.empty()
            : Optional.of(new CheckedWorkload(typed(), workload.deepCopy()));
    return new ProvisioningPlanner(this, cleansUpOnEviction, splits).plan(KEY, checked, now);
  }

  /** Carries out plans until there is nothing to do; answers whether something is in the way. */
  final boolean live() {
    for (int looks = 0; looks < 20; looks++) {
      ProvisioningPlan plan = plan();
      if (plan.writes().isEmpty()) {
        return plan.isBlocked();
      }
      plan.writes().forEach(this::carryOut);
    }
    throw new AssertionError("no rest after 20 looks: " + workload);
  }

  private void carryOut(Write write) {
    switch (write) {
      case Write.Create(var target, var body, var _) -> {
        ObjectNode created = body.deepCopy();
        created.withObjectProperty("metadata").put("uid", "uid-" + ++uids);
        created.withObjectProperty("metadata").put("resourceVersion", "1");
        if (objects(target.kind().groupKind()).putIfAbsent(target.name(), created) != null) {
          throw new AssertionError("exists already: " + target);
        }
      }
      case Write.Delete(var target, var _) -> {
        JsonNode gone = objects(target.kind().groupKind()).remove(target.name());
        if (gone == null || !gone.at("/metadata/uid").asText().equals(target.uid())) {
          throw new AssertionError("is not there: " + target);
        }
      }
      case Write.MergePatch patch -> {
        GroupKind kind = patch.target().kind().groupKind();
        ObjectNode object =
            kind.equals(WorkloadView.KIND)
                ? workload()
                : requireNonNull(objects(kind).get(patch.target().name()));
        merge(object, patch.patch());
      }
      case Write.Apply apply -> throw new AssertionError("not expected: " + apply);
      case Write.Event event -> events.add(event.reason() + ": " + event.message());
    }
  }

  private static void merge(ObjectNode object, ObjectNode patch) {
    patch
        .properties()
        .forEach(
            it -> {
              if (it.getValue() instanceof ObjectNode deeper) {
                merge(object.withObjectProperty(it.getKey()), deeper);
              } else {
                object.set(it.getKey(), it.getValue());
              }
            });
  }

  private Map<String, ObjectNode> objects(GroupKind kind) {
    return kind.equals(ProvisioningKinds.POD_TEMPLATE.groupKind()) ? templates : requests;
  }

  final ObjectNode request(String name) {
    return requireNonNull(requests.get(name), () -> name + " of " + requests.keySet());
  }

  final ObjectNode template(String name) {
    return requireNonNull(templates.get(name), () -> name + " of " + templates.keySet());
  }

  /** The autoscaler says so of a request. */
  final void says(String request, String... conditions) {
    request(request).set("status", read("{'conditions':[" + String.join(",", conditions) + "]}"));
  }

  /** What the controller of Workloads does after a Retry: the check begins its next attempt. */
  final void evicted(int retries, String conditions) {
    holds(
        conditions,
        PENDING.replace("}", ",'retryCount':%d,'requeueAfterSeconds':60}".formatted(retries)));
  }

  @Override
  public Optional<CheckActivity> check(String name) {
    return Optional.ofNullable(checks.get(name));
  }

  @Override
  public Optional<JsonNode> flavor(String name) {
    return Optional.ofNullable(flavors.get(name));
  }

  @Override
  public Optional<JsonNode> request(ObjectKey name) {
    return Optional.ofNullable(requests.get(name.name()));
  }

  @Override
  public List<JsonNode> requestsOf(ObjectKey of) {
    return owned(requests, of);
  }

  @Override
  public Optional<JsonNode> template(ObjectKey name) {
    return Optional.ofNullable(templates.get(name.name()));
  }

  @Override
  public List<JsonNode> templatesOfWorkload(ObjectKey of) {
    return owned(templates, of);
  }

  private static List<JsonNode> owned(Map<String, ObjectNode> objects, ObjectKey workload) {
    return objects.values().stream()
        .filter(
            it ->
                ProvisioningRequest.workload(it)
                    .filter(owner -> owner.name().equals(workload.name()))
                    .isPresent())
        .map(JsonNode.class::cast)
        .toList();
  }

  @Override
  public boolean knowsRequestsBefore(JsonNode object) {
    return knowsRequests;
  }

  @Override
  public boolean isLeaving(JsonNode object) {
    return leaving.contains(object.at("/metadata/uid").asText());
  }
}
