package dev.sluice.api.names;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "A",
        "9",
        "rack",
        "Not_A_Name",
        "a.b-c",
        "a_b",
        "kubernetes.io/hostname",
        "1.2/3",
        "x/Y_z"
      })
  void acceptsLabelKeys(String key) {
    assertThat(LabelKey.problems(key)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 2",
    "@cpu, 1",
    "-a, 1",
    "a-, 1",
    "a b, 1",
    "/name, 1",
    "prefix/, 2",
    "/, 3",
    "a/b/c, 1",
    "//, 1",
    "Upper/name, 1",
    "a..b/name, 1",
    "a b/@, 2",
    "\u00e4, 1",
  })
  void countsOneProblemForEachBrokenRuleOfALabelKey(String key, int problems) {
    assertThat(LabelKey.problems(key)).hasSize(problems);
  }

  @Test
  void limitsThePartsOfALabelKeySeparately() {
    String longest = "p".repeat(253) + "/" + "n".repeat(63);

    assertThat(LabelKey.problems(longest)).isEmpty();
    assertThat(LabelKey.problems("p" + longest))
        .containsExactly("the prefix before '/' must have at most 253 characters, it has 254");
    assertThat(LabelKey.problems(longest + "n"))
        .containsExactly("the name part must have at most 63 characters, it has 64");
    assertThat(LabelKey.problems("@".repeat(64))).hasSize(2);
  }

  @Test
  void acceptsLabelValuesUpTo63Characters() {
    assertThat(LabelValue.problems("")).isEmpty();
    assertThat(LabelValue.problems("v1.2_X-3")).isEmpty();
    assertThat(LabelValue.problems("v".repeat(63))).isEmpty();
    assertThat(LabelValue.problems("v".repeat(64))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "a/b", ".a", "a.", "a b", "\u00e4", "a\n"})
  void refusesOtherCharactersInALabelValue(String value) {
    assertThat(LabelValue.problems(value)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "a.b-c", "company", "a--b", "1.2.3.4"})
  void acceptsSubdomains(String name) {
    assertThat(Subdomain.problems(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "A", "a_b", ".a", "a.", "a..b", "-a", "a-", "a.-b", "a-.b", "a b", "."})
  void refusesWhatIsNoSubdomain(String name) {
    assertThat(Subdomain.problems(name)).hasSize(1);
  }

  @Test
  void limitsASubdomainTo253Characters() {
    assertThat(Subdomain.problems("a".repeat(253))).isEmpty();
    assertThat(Subdomain.problems("a".repeat(254)))
        .containsExactly("must have at most 253 characters, it has 254");
    assertThat(Subdomain.problems("A".repeat(254))).hasSize(2);
  }

  @Test
  void answersForATextOfMegabytes() {
    assertThat(Subdomain.problems("a.".repeat(2_000_000) + "a")).hasSize(1);
    assertThat(LabelKey.problems("a.".repeat(2_000_000) + "a")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "0", "a-b"})
  void acceptsDnsLabels(String name) {
    assertThat(DnsLabel.problems(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a.b", "A", "-a", "a-", "a_b"})
  void refusesWhatIsNoDnsLabel(String name) {
    assertThat(DnsLabel.problems(name)).hasSize(1);
  }

  @Test
  void limitsADnsLabelTo63Characters() {
    assertThat(DnsLabel.problems("a".repeat(63))).isEmpty();
    assertThat(DnsLabel.problems("a".repeat(64))).hasSize(1);
  }
}
