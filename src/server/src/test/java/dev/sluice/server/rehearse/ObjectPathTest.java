package dev.sluice.server.rehearse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectPathTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      emptyValue = "",
      value = {
        "/api/v1/namespaces,                            /api/v1,        '',   namespaces, ''",
        "/api/v1/namespaces/a,                          /api/v1,        '',   namespaces, a",
        "/api/v1/pods,                                  /api/v1,        '',   pods,       ''",
        "/api/v1/namespaces/a/pods,                     /api/v1,        a,    pods,       ''",
        "/api/v1/namespaces/a/pods/p,                   /api/v1,        a,    pods,       p",
        "/apis/batch/v1/namespaces/a/jobs/j/status,     /apis/batch/v1, a,    jobs,       j",
        "/apis/batch/v1/jobs,                           /apis/batch/v1, '',   jobs,       ''",
      })
  void aPathOfAnApiServerNamesAKindANamespaceAndAnObject(
      String path, String root, String namespace, String resource, String name) {
    assertThat(ObjectPath.of(path)).contains(new ObjectPath(root, namespace, resource, name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api", "/apis", "/apis/batch/v1", "/version", "/healthz"})
  void aPathOfDiscoveryNamesNoKind(String path) {
    assertThat(ObjectPath.of(path)).isEmpty();
  }
}
