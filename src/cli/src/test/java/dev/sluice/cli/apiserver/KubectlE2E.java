package dev.sluice.cli.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.process.Shell;
import dev.sluice.cli.testcluster.NeedsDevCluster;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.Sample;
import dev.sluice.testkit.FullTier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** kubectl, if the machine has one, sees what its users expect. */
@FullTier
@NeedsDevCluster
@EnabledIf(value = "isThere", disabledReason = "kubectl is not on the PATH")
class KubectlE2E {
  @TempDir Path folder;
  private Path kubeconfig;

  static boolean isThere() {
    return Shell.has("kubectl");
  }

  @BeforeEach
  void connect(DevCluster cluster) {
    kubeconfig = cluster.controlPlane().kubeconfig();
  }

  @Test
  void appliesTheSamplesAndReadsThemAtEveryVersion() throws Exception {
    for (Sample sample : Sample.values()) {
      kubectl("apply", "-f", file(sample.name(), new Manifests().sample(sample)));
    }

    assertThat(
            kubectl(
                "get",
                "topologies.v1alpha1.kueue.x-k8s.io",
                "datacenter",
                "-o",
                "jsonpath={.apiVersion} {.spec.levels[*].nodeLabel}"))
        .isEqualTo(
            "kueue.x-k8s.io/v1alpha1 cloud.example.com/block cloud.example.com/rack"
                + " kubernetes.io/hostname");
    assertThat(kubectl("get", "topologies.v1alpha1.kueue.x-k8s.io", "-o", "json"))
        .contains("\"gpu-pods\"", "\"datacenter\"", "\"kueue.x-k8s.io/v1alpha1\"");
    assertThat(kubectl("get", "topo")).contains("WIDEST", "cloud.example.com/nvlink-domain");
    assertThat(kubectl("get", "cohorts.v1alpha1.kueue.x-k8s.io", "research-vision"))
        .contains("PARENT", "research");
  }

  @Test
  void aClientSideApplyAtOneVersionIsUpdatedByOneAtAnother() throws Exception {
    kubectl("apply", "-f", cohort("clientside", "v1beta1", "parentName: first\n"));
    String applied =
        kubectl(
            "apply",
            "-f",
            cohort("clientside", "v1beta2", "parentName: second\n  fairSharing: {weight: 3}\n"));
    String again =
        kubectl(
            "apply",
            "-f",
            cohort("clientside", "v1beta2", "parentName: second\n  fairSharing: {weight: 3}\n"));

    assertThat(applied).contains("configured");
    assertThat(again).contains("unchanged");
    assertThat(spec("v1beta1", "clientside"))
        .isEqualTo("{\"fairSharing\":{\"weight\":3},\"parentName\":\"second\"}");
    assertThat(spec("v1alpha1", "clientside"))
        .isEqualTo("{\"fairSharing\":{\"weight\":3},\"parent\":\"second\"}");
  }

  @Test
  void serverSideAppliersOfTwoVersionsOwnTheirFields() throws Exception {
    String weight = cohort("serverside", "v1beta2", "fairSharing: {weight: 2}\n");
    String parent = cohort("serverside", "v1alpha1", "parent: above\n");
    kubectl("apply", "--server-side", "--field-manager=one", "-f", weight);
    kubectl("apply", "--server-side", "--field-manager=two", "-f", parent);
    assertThat(spec("v1beta1", "serverside"))
        .isEqualTo("{\"fairSharing\":{\"weight\":2},\"parentName\":\"above\"}");

    String without = cohort("serverside", "v1alpha1", "{}\n");
    kubectl("apply", "--server-side", "--field-manager=two", "-f", without);

    assertThat(spec("v1beta2", "serverside")).isEqualTo("{\"fairSharing\":{\"weight\":2}}");
  }

  @Test
  void showsTheReasonOfARefusal() throws Exception {
    Shell.Ran refused = run("apply", "-f", cohort("selfmade", "v1alpha1", "parent: selfmade\n"));

    assertThat(refused.code()).isNotZero();
    assertThat(refused.err())
        .contains("Cohort \"selfmade\"", "spec.parentName", "must name another Cohort");
  }

  private String spec(String version, String name) throws Exception {
    return kubectl("get", "cohorts." + version + ".kueue.x-k8s.io", name, "-o", "jsonpath={.spec}");
  }

  private String cohort(String name, String version, String spec) throws Exception {
    return file(
        name + version,
        """
        apiVersion: kueue.x-k8s.io/%s
        kind: Cohort
        metadata:
          name: %s
        spec:
          %s\
        """
            .formatted(version, name, spec));
  }

  private String file(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name + ".yaml"), text).toString();
  }

  private String kubectl(String... args) throws Exception {
    Shell.Ran ran = run(args);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private Shell.Ran run(String... args) throws Exception {
    return Shell.run(Map.of("KUBECONFIG", kubeconfig.toString()), folder, "kubectl", args);
  }
}
