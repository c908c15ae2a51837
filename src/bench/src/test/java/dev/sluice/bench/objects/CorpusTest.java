package dev.sluice.bench.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonSyntax;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorpusTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Test
  void sendsEveryKindAndVersionWithTheNumberOfObjectsAskedFor() throws IOException {
    Corpus corpus = Corpus.of(ObjectMakers.ofKinds(List.of("topology", "cohort")), 50, 1);

    Set<String> seen = new HashSet<>();
    for (Review review : corpus.reviews()) {
      JsonNode objects = MAPPER.readTree(review.json()).path("request").path("objects");
      assertThat(objects).hasSize(50);
      objects.forEach(o -> seen.add(o.path("kind").asText() + o.path("apiVersion").asText()));
    }

    assertThat(seen)
        .containsExactlyInAnyOrder(
            "Topologykueue.x-k8s.io/v1alpha1",
            "Topologykueue.x-k8s.io/v1beta1",
            "Cohortkueue.x-k8s.io/v1alpha1",
            "Cohortkueue.x-k8s.io/v1beta1");
  }

  @Test
  void sendsTheSameBytesForTheSameSeed() {
    List<ObjectMaker> makers = ObjectMakers.ofKnownKinds();

    assertThat(Corpus.of(makers, 3, 7).reviews().getLast().json())
        .isEqualTo(Corpus.of(makers, 3, 7).reviews().getLast().json())
        .isNotEqualTo(Corpus.of(makers, 3, 8).reviews().getLast().json());
  }

  @ParameterizedTest
  @CsvSource({"Topology,300,1000", "Cohort,700,2500"})
  void makesObjectsOfTheSizeTheyHaveInClusters(String kind, int least, int most) {
    ObjectMaker maker = ObjectMakers.ofKinds(List.of(kind)).getFirst();

    assertThat(averageSize(maker)).isBetween(least, most);
  }

  @Test
  void makesWorkloadsOfAboutSevenKilobytes() {
    assertThat(averageSize(new WorkloadMaker())).isBetween(6_000, 8_000);
  }

  private static int averageSize(ObjectMaker maker) {
    SplittableRandom random = new SplittableRandom(1);
    long bytes = 0;
    for (int i = 0; i < 100; i++) {
      ApiVersion version = maker.versions().get(i % maker.versions().size());
      bytes += maker.make(version, random).toString().length();
    }
    return (int) (bytes / 100);
  }

  @Test
  void makesOnlyObjectsThatAStrictConversionTakes() throws Exception {
    JsonSyntax syntax = new JsonSyntax(JsonLimits.DEFAULT);
    Converter strict = new Converter(Mode.FAIL);
    SplittableRandom random = new SplittableRandom(1);

    for (ObjectMaker maker : ObjectMakers.ofKnownKinds()) {
      for (ApiVersion version : maker.versions()) {
        byte[] json = maker.make(version, random).toString().getBytes(StandardCharsets.UTF_8);
        assertThat(strict.convert(syntax.check(json), ApiVersion.HUB))
            .isInstanceOf(Outcome.Converted.class);
      }
    }
  }
}
