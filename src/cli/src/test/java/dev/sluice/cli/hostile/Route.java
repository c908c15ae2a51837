package dev.sluice.cli.hostile;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.KindRules;
import dev.sluice.webhook.StandardRules;
import dev.sluice.webhook.endpoint.GuardEndpoint;
import dev.sluice.webhook.endpoint.MutationEndpoint;
import dev.sluice.webhook.endpoint.ValidationEndpoint;
import java.util.ArrayList;
import java.util.List;

/** A path of admission reviews and the kind that it is for. */
record Route(String path, GroupVersionKind kind) {
  /** All that are served. */
  static final List<Route> ALL = all();

  /** Those for Workloads. */
  static final List<Route> WORKLOADS =
      ALL.stream().filter(it -> it.kind().equals(ApiKind.WORKLOAD.hub())).toList();

  private static List<Route> all() {
    List<Route> routes = new ArrayList<>();
    for (KindRules rules : StandardRules.book().kinds()) {
      routes.add(new Route(ValidationEndpoint.path(rules.kind()), rules.kind()));
      if (!rules.defaultedOn().isEmpty()) {
        routes.add(new Route(MutationEndpoint.path(rules.kind()), rules.kind()));
      }
    }
    routes.add(new Route(GuardEndpoint.servedPath(), new GroupVersionKind("", "v1", "Pod")));
    return List.copyOf(routes);
  }
}
