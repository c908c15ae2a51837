package dev.sluice.json.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.yaml.Manifest.Place;
import dev.sluice.json.yaml.ManifestException;
import dev.sluice.json.yaml.ManifestReader;
import dev.sluice.testkit.Tier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Laws of edited texts, over random trees, styles, comments and changes. */
class ManifestTextLawTest {
  private static final int TREES_PER_SEED = 400;

  static LongStream seeds() {
    return Tier.seeds(3, 10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anEditedYamlTextSaysTheNewTreeAndKeepsTheCommentsOfAllThatStays(long seed)
      throws ManifestException {
    Random random = new Random(seed);
    for (int i = 0; i < TREES_PER_SEED; i++) {
      RandomManifest manifest = new RandomManifest(random);
      Map<String, Object> tree = manifest.tree();
      String text = manifest.write(tree);
      Json target = RandomManifest.json(manifest.changed(tree));
      List<Place> rewritten = new ArrayList<>();

      String edited = read(text).with(List.of(target), rewritten::add);

      assertThat(Canonical.text(read(edited).documents().getFirst().value()))
          .isEqualTo(Canonical.text(target));
      assertThat(rewritten).as("%s%n---%n%s", text, Canonical.text(target)).isEmpty();
      assertThat(manifest.comments())
          .filteredOn(comment -> !manifest.isLost(comment))
          .as("comments of%n%s%n---%n%s", text, edited)
          .allMatch(edited::contains);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void anEditedJsonTextSaysTheNewTreeInTheOrderOfItsMembersAndStaysInItsStyle(long seed)
      throws ManifestException {
    Random random = new Random(seed);
    for (int i = 0; i < TREES_PER_SEED; i++) {
      RandomManifest manifest = new RandomManifest(random);
      Map<String, Object> tree = manifest.tree();
      boolean pretty = random.nextBoolean();
      FlowText style = pretty ? FlowText.pretty("\n") : FlowText.COMPACT;
      Json target = RandomManifest.json(manifest.changed(tree));
      List<Place> rewritten = new ArrayList<>();

      String edited =
          read(style.write(RandomManifest.json(tree), "")).with(List.of(target), rewritten::add);

      assertThat(rewritten).isEmpty();
      assertThat(text(read(edited).documents().getFirst().value())).isEqualTo(text(target));
      assertThat(edited).isEqualTo(style.write(target, ""));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aTextWhoseTreesStayIsReturnedAsItIs(long seed) throws ManifestException {
    Random random = new Random(seed);
    RandomManifest manifest = new RandomManifest(random);
    Map<String, Object> tree = manifest.tree();
    String text = manifest.write(tree);

    assertThat(read(text).with(List.of(RandomManifest.json(tree)), _ -> {})).isEqualTo(text);
    assertThat(Canonical.equal(ManifestReader.parse(text), RandomManifest.json(tree))).isTrue();
  }

  private static ManifestText read(String text) throws ManifestException {
    return ManifestText.read("text", text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(Json value) {
    JsonOutput out = new JsonOutput();
    value.writeTo(out);
    return new String(out.toByteArray(), StandardCharsets.UTF_8).replaceAll("\\s", "");
  }
}
