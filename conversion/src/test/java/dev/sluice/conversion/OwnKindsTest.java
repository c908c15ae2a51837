package dev.sluice.conversion;

import static dev.sluice.conversion.Texts.json;
import static dev.sluice.conversion.Texts.value;
import static dev.sluice.conversion.Texts.written;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.conversion.step.FieldConversion;
import dev.sluice.conversion.step.KindVersions;
import dev.sluice.conversion.step.Mode;
import dev.sluice.conversion.step.VersionStep;
import dev.sluice.conversion.step.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kinds of an operator that uses the conversion as a library. */
class OwnKindsTest {
  private static final KindVersions ORDER =
      KindVersions.of("bakery.example", "Order", "v1alpha1")
          .then("v1beta1", FieldConversion.renamed("loaves", List.of("spec"), "count", "loaves"))
          .then("v1", FieldConversion.onlyInNewer("note", List.of("spec"), "note"));
  private static final Converter CONVERTER = new Converter(Mode.CARRY, List.of(ORDER));

  private static String order(String version, String more) {
    return json("{'apiVersion':'bakery.example/%s','kind':'Order',%s}".formatted(version, more));
  }

  private static String convert(String object, String to) {
    return switch (CONVERTER.convert(value(object), to, Work.unbounded())) {
      case Outcome.Converted converted -> written(converted.object());
      case Outcome.Refused refused -> refused.message();
    };
  }

  @Test
  void goOverAllStepsBetweenTwoVersions() {
    String old = order("v1alpha1", "'metadata':{'name':'o'},'spec':{'count':3,'x':[1.0]}");

    assertThat(convert(old, "v1"))
        .isEqualTo(order("v1", "'metadata':{'name':'o'},'spec':{'loaves':3,'x':[1.0]}"));
  }

  @Test
  void keepWhatTheOlderVersionCannotSayInAnAnnotationOfTheirGroup() {
    String object = order("v1", "'metadata':{'name':'o'},'spec':{'loaves':3,'note':'warm'}");

    String old = convert(object, "v1alpha1");

    assertThat(old)
        .contains("\"count\":3")
        .contains("conversion.bakery.example/from-v1")
        .doesNotContain("kueue");
    assertThat(convert(old, "v1")).isEqualTo(object);
  }

  @Test
  void areRefusedInVersionsAndKindsThatTheyAreNot() {
    assertThat(convert(order("v2", "'spec':{}"), "v1"))
        .isEqualTo(
            "Order: apiVersion: bakery.example/v2 (expected: one of bakery.example/v1alpha1,"
                + " bakery.example/v1beta1, bakery.example/v1)");
    assertThat(convert(json("{'apiVersion':'kueue.x-k8s.io/v1beta1','kind':'Cohort'}"), "v1"))
        .isEqualTo(
            "Cohort of kueue.x-k8s.io/v1beta1: unknown kind (expected: Order of bakery.example)");
  }

  @Test
  void areOfOneGroupAndNamedOnce() {
    KindVersions other = KindVersions.of("mill.example", "Flour", "v1");

    assertThatThrownBy(() -> new Converter(Mode.CARRY, List.of(ORDER, other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Flour.mill.example");
    assertThatThrownBy(() -> new Converter(Mode.CARRY, List.of(ORDER, ORDER)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order.bakery.example");
    assertThatThrownBy(() -> new Converter(Mode.CARRY, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void haveEachVersionOnceAndAStepBetweenNeighbours() {
    assertThatThrownBy(() -> ORDER.then("v1beta1")).isInstanceOf(IllegalArgumentException.class);
    List<VersionStep> one = ORDER.steps().subList(0, 1);
    assertThatThrownBy(() -> new KindVersions(ORDER.kind(), ORDER.versions(), one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Order.bakery.example");
    assertThatThrownBy(() -> ORDER.between("v1", "v2"))
        .hasMessage("v2 (expected: one of [v1alpha1, v1beta1, v1])");
  }
}
