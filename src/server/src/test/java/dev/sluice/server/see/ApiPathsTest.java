package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiPathsTest {
  private static final String GROUP = "/apis/visibility.kueue.x-k8s.io";

  @ParameterizedTest
  @CsvSource({
    "/v1beta2/clusterqueues/cq/pendingworkloads, v1beta2, '', cq",
    "/v1beta1/clusterqueues/cq/pendingworkloads, v1beta1, '', cq",
    "/v1beta2/namespaces/ns/localqueues/lq/pendingworkloads, v1beta2, ns, lq",
    "/v1beta2/namespaces/clusterqueues/localqueues/localqueues/pendingworkloads, v1beta2,"
        + " clusterqueues, localqueues",
  })
  void aQueueIsFoundByItsPath(String path, String version, String namespace, String name) {
    assertThat(ApiPaths.find(GROUP + path, ""))
        .hasValueSatisfying(it -> assertThat(it).isEqualTo(queue(version, namespace, name)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/apis/",
        "/api/v1",
        "/apis/kueue.x-k8s.io/v1beta2",
        "/apis/visibility.kueue.x-k8s.io/v1alpha1/clusterqueues/cq/pendingworkloads",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cq",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues//pendingworkloads",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cq/pendingworkloads/",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cq/pendingworkloads/w",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/localqueues/lq/pendingworkloads",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces/ns/clusterqueues/cq/pendingworkloads",
        "/apis/view.sluice.dev/v1alpha1/standing/x",
        "/apis/view.sluice.dev/v1alpha1/namespaces/ns/standing",
        "/apis/view.sluice.dev/v1alpha1/workloads/w/explanation",
        "/apis/view.sluice.dev/v1alpha1/clusterqueues/cq/pendingworkloads",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/clusterqueues/cq/line",
        "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces//localqueues/lq/pendingworkloads",
      })
  void anyOtherPathIsNotFound(String path) {
    assertThat(ApiPaths.find(path, "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/apis",
        GROUP,
        GROUP + "/v1beta2",
        GROUP + "/v1beta1",
        "/apis/view.sluice.dev",
        "/apis/view.sluice.dev/v1alpha1"
      })
  void discoveryNeedsARightToItsPath(String path) {
    assertThat(ApiPaths.find(path, "").orElseThrow().attributes())
        .isEqualTo(new Attributes.OfPath(path));
  }

  @Test
  void aQueueNeedsARightToItsSubresource() {
    assertThat(queue("v1beta2", "ns", "lq").attributes())
        .isEqualTo(
            new Attributes.OfResource(
                "get",
                "visibility.kueue.x-k8s.io",
                "v1beta2",
                "localqueues/pendingworkloads",
                "lq",
                "ns"));
    assertThat(queue("v1beta1", "", "cq").attributes())
        .isEqualTo(
            new Attributes.OfResource(
                "get",
                "visibility.kueue.x-k8s.io",
                "v1beta1",
                "clusterqueues/pendingworkloads",
                "cq",
                ""));
  }

  private static Target.Resource queue(String version, String namespace, String name) {
    ApiResource resource = VisibilityApi.API.resources().get(namespace.isEmpty() ? 0 : 1);
    return new Target.Resource(VisibilityApi.API, version, resource, namespace, name);
  }

  @ParameterizedTest
  @CsvSource({
    "/namespaces/ns/workloads/w/explanation, get, workloads/explanation, w, ns",
    "/namespaces/ns/localqueues/lq/line, get, localqueues/line, lq, ns",
    "/clusterqueues/cq/line, get, clusterqueues/line, cq, ''",
    "/standing, list, standing, '', ''",
  })
  void ourOwnApiNeedsTheRightThatAnApiServerAsksFor(
      String path, String verb, String resource, String name, String namespace) {
    assertThat(
            ApiPaths.find("/apis/view.sluice.dev/v1alpha1" + path, "").orElseThrow().attributes())
        .isEqualTo(
            new Attributes.OfResource(
                verb, "view.sluice.dev", "v1alpha1", resource, name, namespace));
  }
}
