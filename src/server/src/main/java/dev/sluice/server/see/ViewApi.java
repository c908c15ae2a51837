package dev.sluice.server.see;

import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.ViewGroup;
import java.util.List;

/** Our own API: why a workload waits, who is before it, and what the queues have. */
final class ViewApi {
  static final String VERSION = ViewGroup.VERSION;
  static final String EXPLANATION = "explanation";
  static final String TIMELINE = "timeline";
  static final String LINE = "line";
  static final String HOLDERS = "holders";
  static final String QUOTAS = "quotas";
  static final String USAGE = "usage";
  static final String STANDING = "standing";
  static final String LOG = "log";
  static final String CLUSTER_LOG = "clusterlog";
  static final String INVENTORY = "inventory";
  static final String DOMAINS = "domains";
  static final String FORECAST = "forecast";
  static final String HISTORY = "history";
  static final String SCORES = "forecastscores";
  static final String SIMULATIONS = "simulations";
  static final String CLUSTER_SIMULATIONS = "clustersimulations";

  private static final List<ApiParameter> PAGE = ApiParameter.numbers("limit", "offset");

  private static final List<ApiParameter> DOMAIN_PARAMETERS =
      ApiParameter.all(
          ApiParameter.texts("under", "level", "resource", "requests"),
          ApiParameter.numbers("pods"),
          PAGE);
  private static final String LINE_DESCRIPTION =
      "Lists the pending Workloads of the queue, in order, each with the reason.";

  private static final List<ApiParameter> LOG_PARAMETERS =
      ApiParameter.all(
          ApiParameter.texts("before", "queue", "workload", "reason", "preemptor"),
          ApiParameter.numbers("limit"));

  static final ApiGroup API =
      new ApiGroup(
          Domains.VIEW,
          List.of(VERSION),
          List.of(
              ApiResource.of(
                  "workloads",
                  "Workload",
                  true,
                  EXPLANATION,
                  "Explanation",
                  List.of(),
                  "Says why the Workload, or the one of the job of that name, is where it is."),
              ApiResource.of(
                  "workloads",
                  "Workload",
                  true,
                  TIMELINE,
                  "Timeline",
                  List.of(),
                  "Says what has happened to the Workload, or the one of the job of that name."),
              ApiResource.of(
                  "workloads",
                  "Workload",
                  true,
                  FORECAST,
                  "Forecast",
                  List.of(),
                  "Says when the Workload, or the one of the job of that name, will get quota."),
              ApiResource.of(
                  "clusterqueues",
                  "ClusterQueue",
                  false,
                  LINE,
                  "QueueLine",
                  PAGE,
                  LINE_DESCRIPTION),
              ApiResource.of(
                  "clusterqueues",
                  "ClusterQueue",
                  false,
                  HOLDERS,
                  "QueueHolders",
                  PAGE,
                  "Lists the Workloads that have quota of the queue, with what they have."),
              ApiResource.of(
                  "clusterqueues",
                  "ClusterQueue",
                  false,
                  QUOTAS,
                  "QueueQuotas",
                  List.of(),
                  "Shows the resource groups of the ClusterQueue as they are in its spec."),
              ApiResource.of(
                  "clusterqueues",
                  "ClusterQueue",
                  false,
                  USAGE,
                  "QueueUsage",
                  List.of(),
                  "Shows the quota and its use during the last hour, a step for each change."),
              ApiResource.of(
                  "localqueues", "LocalQueue", true, LINE, "QueueLine", PAGE, LINE_DESCRIPTION),
              ApiResource.whole(
                  STANDING,
                  "Standing",
                  false,
                  "list",
                  "Shows all cohorts and ClusterQueues with what they have and use."),
              ApiResource.whole(
                  INVENTORY,
                  "Inventory",
                  false,
                  "list",
                  "Lists the ResourceFlavors with their levels of topology and numbers of nodes."),
              ApiResource.of(
                  "topologies",
                  "Topology",
                  false,
                  DOMAINS,
                  "TopologyDomains",
                  ApiParameter.all(ApiParameter.texts("flavor"), DOMAIN_PARAMETERS),
                  "Shows what the nodes of a flavor have, by domain, and how many gangs fit."),
              ApiResource.of(
                  "resourceflavors",
                  "ResourceFlavor",
                  false,
                  DOMAINS,
                  "TopologyDomains",
                  DOMAIN_PARAMETERS,
                  "The same of a flavor that may have no topology: then its nodes are shown."),
              ApiResource.list(
                  LOG,
                  "Log",
                  true,
                  LOG_PARAMETERS,
                  "Shows what has happened last to the Workloads of the namespace."),
              ApiResource.list(
                  CLUSTER_LOG,
                  "Log",
                  false,
                  LOG_PARAMETERS,
                  "Shows what has happened last to all Workloads that the caller may see."),
              ApiResource.list(
                  HISTORY,
                  "History",
                  false,
                  ApiParameter.numbers("since", "segment", "offset", "instance", "limit"),
                  "Shows what has happened to all Workloads and quotas, in pages."),
              ApiResource.list(
                  SCORES,
                  "ForecastScores",
                  false,
                  List.of(),
                  "Says how good the forecasts of each ClusterQueue were."),
              ApiResource.whole(
                  SIMULATIONS,
                  "Simulation",
                  true,
                  ApiResource.CREATE,
                  "Says what would become of jobs in the namespace. Nothing is stored."),
              ApiResource.whole(
                  CLUSTER_SIMULATIONS,
                  "Simulation",
                  false,
                  ApiResource.CREATE,
                  "Says what would become of jobs anywhere, and of all with other queues. Nothing"
                      + " is stored.")),
          "dev.sluice.view");

  private ViewApi() {}
}
