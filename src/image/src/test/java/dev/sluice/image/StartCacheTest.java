package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two dumps of the same classes may differ in. */
class StartCacheTest {
  private static final int HEADER = 4096;

  @TempDir Path folder;

  private Path file(String name, int checksum, long... words) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(HEADER + words.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0, 0xf00baba2).putInt(4, checksum);
    for (int i = 0; i < words.length; i++) {
      bytes.putLong(HEADER + i * Long.BYTES, words[i]);
    }
    return Files.write(folder.resolve(name), bytes.array());
  }

  @Test
  void checksumsAndTimesBecomeZeroAndTheRestStays() throws IOException {
    Path one = file("one", 77, 5, 1000, 6, 1000);
    Path two = file("two", 78, 5, 1009, 6, 1009);

    StartCache.dropTimes(one, two);

    assertThat(one).hasSameBinaryContentAs(file("expected", 0, 5, 0, 6, 0));
  }

  @Test
  void eachCollectionOfGarbageMayHaveSetAnotherTime() throws IOException {
    Path one = file("one", 77, 9_356_612, 9_374_358);
    Path two = file("two", 78, 9_383_705, 9_400_780);

    StartCache.dropTimes(one, two);

    assertThat(one).hasSameBinaryContentAs(file("expected", 0, 0, 0));
  }

  @Test
  void anyOtherDifferenceFailsWithItsPlace() throws IOException {
    Path one = file("one", 77, 1000, 5);
    Path two = file("two", 78, 1009, 1L << 40);

    assertThatThrownBy(() -> StartCache.dropTimes(one, two))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("byte " + (HEADER + Long.BYTES));
  }

  @Test
  void timesThatRunBackwardsAreNoTimes() throws IOException {
    Path one = file("one", 77, 1009);
    Path two = file("two", 78, 1000);

    assertThatThrownBy(() -> StartCache.dropTimes(one, two)).isInstanceOf(ImageException.class);
  }

  @Test
  void filesOfDifferentSizesFail() throws IOException {
    Path one = file("one", 77, 1);
    Path two = file("two", 77, 1, 2);

    assertThatThrownBy(() -> StartCache.dropTimes(one, two)).isInstanceOf(ImageException.class);
  }
}
