package dev.sluice.quota.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodCountTest {
  @ParameterizedTest
  @CsvSource({
    "a=2, a=7, 3, a",
    "a=2 b=1, a=7 b=2, 2, b",
    "a=2 b=1, a=4 b=2, 2, a",
    "a=2 b=0, a=4, 2, a",
    "a=0, '', 2147483647, a",
    "a=2, '', 0, a",
    "a=2, a=-5, 0, a",
    "a=1, a=9000000000, 2147483647, a",
    "a=-1, a=5, 0, a",
  })
  void asManyPodsFitAsTheScarcestResourceTakes(
      String request, String capacity, int pods, String limiting) {
    assertThat(PodCount.in(requests(request), requests(capacity)))
        .isEqualTo(new PodCount(pods, limiting));
  }

  @ParameterizedTest
  @CsvSource({"''", "a=5"})
  void aRequestWithoutAnyResourceFitsNoPod(String capacity) {
    assertThat(PodCount.in(Requests.NONE, requests(capacity))).isEqualTo(new PodCount(0, null));
  }

  private static Requests requests(String text) {
    Map<String, Long> amounts = new TreeMap<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int equals = word.indexOf('=');
      amounts.put(word.substring(0, equals), Long.parseLong(word.substring(equals + 1)));
    }
    return Requests.of(amounts);
  }
}
