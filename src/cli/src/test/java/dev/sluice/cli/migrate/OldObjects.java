package dev.sluice.cli.migrate;

/** Objects to be stored at an old version, as a client writes them. */
final class OldObjects {
  private OldObjects() {}

  static String name(int number) {
    return "object-%05d".formatted(number);
  }

  static String cohort(String name, int number) {
    String finalizers = number == 0 ? "\"finalizers\":[\"example.org/kept\"]," : "";
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Cohort","metadata":{%s"name":"%s"},
    "spec":{"parent":"parent-%d","resourceGroups":[{"coveredResources":["cpu"],"flavors":[
    {"name":"f","resources":[{"name":"cpu","nominalQuota":%d,"borrowingLimit":"1000m"}]}]}]}}\
    """
        .formatted(finalizers, name, number, number);
  }

  static String topology(String name, int number) {
    return """
    {"apiVersion":"kueue.x-k8s.io/v1alpha1","kind":"Topology","metadata":{"name":"%s"},
    "spec":{"levels":[{"nodeLabel":"example.org/l%d"},{"nodeLabel":"kubernetes.io/hostname"}]}}\
    """
        .formatted(name, number);
  }
}
