package dev.sluice.server.see;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VisibilityApiTest {
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
    assertThat(VisibilityApi.find(GROUP + path, ""))
        .hasValue(new VisibilityApi.Line(version, namespace, name));
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
        "/apis/visibility.kueue.x-k8s.io/v1beta2/namespaces//localqueues/lq/pendingworkloads",
      })
  void anyOtherPathIsNotFound(String path) {
    assertThat(VisibilityApi.find(path, "")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/apis", GROUP, GROUP + "/v1beta2", GROUP + "/v1beta1"})
  void discoveryNeedsARightToItsPath(String path) {
    assertThat(VisibilityApi.find(path, "").orElseThrow().attributes())
        .isEqualTo(new Attributes.OfPath(path));
  }

  @Test
  void aQueueNeedsARightToItsSubresource() {
    assertThat(new VisibilityApi.Line("v1beta2", "ns", "lq").attributes())
        .isEqualTo(
            new Attributes.OfResource("v1beta2", "localqueues", "pendingworkloads", "lq", "ns"));
    assertThat(new VisibilityApi.Line("v1beta1", "", "cq").attributes())
        .isEqualTo(
            new Attributes.OfResource("v1beta1", "clusterqueues", "pendingworkloads", "cq", ""));
  }
}
