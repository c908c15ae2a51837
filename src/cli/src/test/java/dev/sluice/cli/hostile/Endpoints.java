package dev.sluice.cli.hostile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.json.JsonSyntax;
import dev.sluice.rules.KindRules;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.settings.Settings;
import dev.sluice.rules.view.JobSource;
import dev.sluice.rules.view.ObjectView;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.ConversionMeters;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.GuardEndpoint;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import dev.sluice.webhook.guard.PodGuard;
import dev.sluice.webhook.server.Bounds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The endpoints that a server has, without a server: by path, in a small cluster. */
final class Endpoints {
  private static final List<String> CLUSTER =
      List.of(
          "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns','labels':{}}}",
          "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'LocalQueue','metadata':{'name':'q',"
              + "'namespace':'ns'},'spec':{'clusterQueue':'cq'}}",
          "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ResourceFlavor','metadata':{'name':'f'},"
              + "'spec':{'topologyName':'t'}}",
          "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Topology','metadata':{'name':'t'},"
              + "'spec':{'levels':[{'nodeLabel':'l'},{'nodeLabel':'kubernetes.io/hostname'}]}}",
          "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'Cohort','metadata':{'name':'c'},"
              + "'spec':{'parentName':'c'}}",
          "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'ClusterQueue','metadata':{'name':'cq'},"
              + "'spec':{'cohortName':'c','namespaceSelector':{},'resourceGroups':[{"
              + "'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',"
              + "'nominalQuota':'3'}]}]}]}}",
          "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ns',"
              + "'uid':'u-j','labels':{'kueue.x-k8s.io/queue-name':'q'}},'spec':{'completions':2,"
              + "'parallelism':2}}");

  private Endpoints() {}

  /** New ones. */
  static Map<String, Endpoint> create() {
    ReviewContext world = new ReviewContext(ObjectView.of(cluster()), Settings.DEFAULT);
    JsonSyntax syntax = new JsonSyntax(Bounds.DEFAULT.json());
    var registry = new SimpleMeterRegistry();
    List<Endpoint> all = new ArrayList<>();
    all.add(
        new ConversionEndpoint(
            syntax,
            Bounds.DEFAULT.maxAnswerBytes(),
            new ConversionMeters(registry),
            System::nanoTime));
    for (KindRules kind : StandardRules.book().kinds()) {
      if (!kind.defaultedOn().isEmpty()) {
        all.add(new MutationEndpoint(kind, world, syntax, registry));
      }
      all.add(new ValidationEndpoint(kind, world, syntax, registry));
    }
    PodGuard guard = new PodGuard(world, JobSource.NONE, false, System::nanoTime, registry);
    all.add(new GuardEndpoint(guard, world, syntax, registry));
    Map<String, Endpoint> byPath = new HashMap<>();
    all.forEach(endpoint -> byPath.put(endpoint.path(), endpoint));
    return byPath;
  }

  private static List<JsonNode> cluster() {
    JsonMapper mapper = new JsonMapper();
    List<JsonNode> objects = new ArrayList<>();
    for (String text : CLUSTER) {
      try {
        objects.add(mapper.readTree(text.replace('\'', '"')));
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(text, e);
      }
    }
    return objects;
  }
}
