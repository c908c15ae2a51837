package dev.sluice.cli.installed;

import dev.sluice.controlplane.ApiClient;

/** Two Workloads in {@code default}: the storage of one is held up, the other asks for quota. */
final class LedgerScene {
  private static final String KUEUE = "/apis/kueue.x-k8s.io/v1beta2/";

  private final Installed installed;
  private final ApiClient api;

  LedgerScene(Installed installed) {
    this.installed = installed;
    this.api = installed.api();
  }

  boolean follows(String source) {
    return installed
            .webhook()
            .meter("sluice_ledger_source{source=\"%s\"}".formatted(source))
            .orElse(-1)
        == 1;
  }

  void workload(String name, String queue) {
    api.create(
            KUEUE + "namespaces/default/workloads",
            """
            {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"%s"},"spec":{
            "queueName":"%s","podSets":[{"name":"main","count":1,"template":{"spec":{
            "restartPolicy":"Never","containers":[{"name":"c","image":"i","resources":{"requests":{
            "cpu":"2"}}}]}}}]}}\
            """
                .formatted(name, queue))
        .orThrow();
  }

  ApiClient.Response wouldReserve(String name) {
    return api.mergePatch(
        KUEUE + "namespaces/default/workloads/" + name + "/status?dryRun=All",
        """
        {"status":{"admission":{"clusterQueue":"told","podSetAssignments":[{"name":"main",
        "count":1,"flavors":{"cpu":"told"},"resourceUsage":{"cpu":"2"}}]},"conditions":[{
        "type":"QuotaReserved","status":"True","reason":"QuotaReserved","message":"",
        "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}\
        """);
  }

  /** Nothing can be stored of Workloads of that name, and no other webhook is asked. */
  void hold(String name) {
    api.create(
            "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
            """
            {"apiVersion":"admissionregistration.k8s.io/v1","kind":"MutatingWebhookConfiguration",
            "metadata":{"name":"holds"},"webhooks":[{"name":"holds.example.com","sideEffects":"None",
            "admissionReviewVersions":["v1"],"failurePolicy":"Fail","timeoutSeconds":1,
            "clientConfig":{"url":"https://127.0.0.1:1/"},"rules":[{"apiGroups":["kueue.x-k8s.io"],
            "apiVersions":["v1beta2"],"operations":["UPDATE"],"resources":["workloads/status"]}],
            "matchConditions":[{"name":"held","expression":"request.name == '%s'"}]}]}\
            """
                .formatted(name))
        .orThrow();
  }

  void letGo() {
    api.delete("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/holds")
        .orThrow();
  }

  boolean holdsQuota(String name) {
    return ApiClient.hasCondition(
        api.get(KUEUE + "namespaces/default/workloads/" + name).orThrow().json(), "QuotaReserved");
  }
}
