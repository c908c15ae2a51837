package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries with a header of 64 bytes, two segments, and sections behind them. */
class NativeLibraryTest {
  private static final int SEGMENT = 56;
  private static final int END = 64 + 2 * SEGMENT + 100;

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("lib.so");
  }

  private static byte[] library(int afterwards) {
    ByteBuffer elf = ByteBuffer.allocate(END + afterwards).order(ByteOrder.LITTLE_ENDIAN);
    elf.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1});
    elf.putLong(0x20, 64); // segments
    elf.putLong(0x28, END + afterwards / 2); // sections
    elf.putShort(0x36, (short) SEGMENT).putShort(0x38, (short) 2);
    elf.putShort(0x3c, (short) 5).putShort(0x3e, (short) 4);
    segment(elf, 64, 0, 64 + 2 * SEGMENT);
    segment(elf, 64 + SEGMENT, END - 100, 100);
    Arrays.fill(elf.array(), END, END + afterwards, (byte) 9);
    return elf.array();
  }

  private static void segment(ByteBuffer elf, int at, long offset, long length) {
    elf.putLong(at + 0x08, offset).putLong(at + 0x20, length);
  }

  @Test
  void keepsTheSegmentsAndNamesNoSections() throws IOException {
    Files.write(file, library(1000));

    new NativeLibrary(file).strip();

    ByteBuffer left = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(left.capacity()).isEqualTo(END);
    assertThat(left.getLong(0x28)).isZero();
    assertThat(left.getInt(0x3c)).isZero();
    assertThat(left.getShort(0x38)).isEqualTo((short) 2);
  }

  @Test
  void changesNothingTheSecondTime() throws IOException {
    Files.write(file, library(10));
    new NativeLibrary(file).strip();
    byte[] once = Files.readAllBytes(file);

    new NativeLibrary(file).strip();

    assertThat(file).hasBinaryContent(once);
  }

  @Test
  void refusesWhatIsNoLibrary() throws IOException {
    Files.writeString(file, "#!/bin/sh".repeat(20));

    assertThatThrownBy(() -> new NativeLibrary(file).strip())
        .isInstanceOf(ImageException.class)
        .hasMessage("lib.so: not a library of 64-bit Linux");
  }

  @Test
  void refusesALibraryThatIsCutOff() throws IOException {
    Files.write(file, Arrays.copyOf(library(0), END - 1));

    assertThatThrownBy(() -> new NativeLibrary(file).strip())
        .isInstanceOf(ImageException.class)
        .hasMessage("lib.so: is cut off");
  }
}
