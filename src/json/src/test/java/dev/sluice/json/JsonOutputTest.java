package dev.sluice.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonOutputTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 262_144, 1_500_000})
  void collectsAnyAmountInOrder(int bytes) {
    byte[] expected = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      expected[i] = (byte) ('a' + i % 23);
    }
    JsonOutput out = new JsonOutput();

    for (int at = 0; at < bytes; at += 700) {
      out.write(expected, at, Math.min(700, bytes - at));
    }

    assertThat(out.length()).isEqualTo(bytes);
    assertThat(out.toByteArray()).isEqualTo(expected);
    assertThat(joined(out.segments())).isEqualTo(expected);
  }

  @Test
  void growsBySegmentsThatStaySmall() {
    JsonOutput out = new JsonOutput();

    out.write(new byte[3_000_000], 0, 3_000_000);

    assertThat(out.segments())
        .hasSizeGreaterThan(10)
        .allSatisfy(segment -> assertThat(segment.length).isLessThanOrEqualTo(64 << 10));
  }

  @Test
  void handsOutSegmentsThatLaterWritesDoNotChange() {
    JsonOutput out = new JsonOutput();
    out.writeAscii("early");
    List<byte[]> segments = out.segments();

    out.writeAscii("late");

    assertThat(joined(segments)).isEqualTo("early".getBytes(UTF_8));
    assertThat(out.toByteArray()).isEqualTo("earlylate".getBytes(UTF_8));
  }

  @Test
  void writesCharactersAcrossTheEdgesOfSegments() {
    for (int before = 1018; before <= 1024; before++) {
      JsonOutput out = new JsonOutput();
      out.writeAscii("a".repeat(before));

      out.writeText("é€\ud83d\ude00\n");

      assertThat(new String(out.toByteArray(), UTF_8))
          .isEqualTo("a".repeat(before) + "\"é€\ud83d\ude00\\n\"");
    }
  }

  @Test
  void writesEveryCodePointSoThatItCanBeReadBack() {
    StringBuilder all = new StringBuilder();
    for (int c = 0; c <= Character.MAX_CODE_POINT; c += c < 0x3000 ? 1 : 97) {
      if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
        all.appendCodePoint(c);
      }
    }
    JsonSlice slice = JsonSlice.text(all.toString());

    assertThat(slice.text()).isEqualTo(all.toString());
  }

  @Test
  void escapesSurrogatesThatStandAlone() {
    JsonOutput out = new JsonOutput();

    out.writeText("\ud83d \ude00\ud83d\ud83d\ude00\ud83d");

    assertThat(new String(out.toByteArray(), UTF_8))
        .isEqualTo("\"\\ud83d \\ude00\\ud83d\ud83d\ude00\\ud83d\"");
  }

  private static byte[] joined(List<byte[]> segments) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    segments.forEach(all::writeBytes);
    return all.toByteArray();
  }
}
