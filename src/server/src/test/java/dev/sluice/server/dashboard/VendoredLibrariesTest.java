package dev.sluice.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VendoredLibrariesTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SERVER = "pkg:maven/dev.sluice/sluice-server@0.1.0?type=jar";

  @TempDir private Path folder;

  private Path bill() throws IOException {
    return Files.writeString(
        folder.resolve("bill.json"),
        """
        {"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"other","bom-ref":"o"}],
        "dependencies":[{"ref":"o"},{"ref":"%s","dependsOn":["o"]}]}
        """
            .formatted(SERVER));
  }

  private static JsonNode with(Path bill) throws IOException {
    VendoredLibraries.main(new String[] {bill.toString()});
    return JSON.readTree(bill.toFile());
  }

  @Test
  void eachLibraryHasItsVersionLicenseAndHashes() throws IOException {
    JsonNode bill = with(bill());

    JsonNode htm =
        bill.path("components")
            .valueStream()
            .filter(it -> it.path("name").asText().equals("htm"))
            .findFirst()
            .orElseThrow();
    assertThat(bill.path("components").findValuesAsText("name"))
        .contains("other", "preact", "htm", "js-yaml");
    assertThat(htm.path("purl").asText()).isEqualTo("pkg:npm/htm@3.1.1");
    assertThat(htm.at("/licenses/0/license/id").asText()).isEqualTo("Apache-2.0");
    assertThat(htm.at("/hashes/0/alg").asText()).isEqualTo("SHA-512");
    assertThat(htm.at("/hashes/0/content").asText()).matches("[0-9a-f]{128}");
    assertThat(htm.at("/components/0/name").asText()).isEqualTo("htm.mjs");
    assertThat(htm.at("/components/0/hashes/0/content").asText()).matches("[0-9a-f]{64}");
  }

  @Test
  void withoutABillTheBuildGoesOn() throws IOException {
    Path missing = folder.resolve("missing.json");

    VendoredLibraries.main(new String[] {missing.toString()});

    assertThat(missing).doesNotExist();
  }

  @Test
  void theServerDependsOnThemAndEachReferenceLeadsToAComponent() throws IOException {
    JsonNode bill = with(bill());
    Set<String> components = new HashSet<>(bill.path("components").findValuesAsText("bom-ref"));

    assertThat(bill.at("/dependencies/1/dependsOn").valueStream().map(JsonNode::asText))
        .hasSize(4)
        .startsWith("o")
        .contains("pkg:npm/htm@3.1.1")
        .isSubsetOf(components);
    assertThat(bill.path("dependencies").findValuesAsText("ref"))
        .doesNotHaveDuplicates()
        .contains("pkg:npm/htm@3.1.1");
  }

  @Test
  void aBillThatHasThemStaysTheSame() throws IOException {
    Path file = bill();
    JsonNode once = with(file);

    assertThat(with(file)).isEqualTo(once);
  }

  @Test
  void aHashOfAnotherKindIsRefused() throws IOException {
    JsonNode list = JSON.readTree("[{\"name\":\"a\",\"integrity\":\"sha1-AAAA\"}]");

    assertThatThrownBy(() -> VendoredLibraries.addTo(JSON.createObjectNode(), list))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a: integrity: sha1-AAAA");
  }
}
