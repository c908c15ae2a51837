package dev.sluice.scheduler.recorder;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * Where decisions are recorded.
 *
 * @param folder made if it is not there; of one process at a time
 * @param bytes how much all segments together take at most
 */
public record RecordingOptions(Path folder, long bytes) {
  /** The size without a wish. */
  public static final long DEFAULT_BYTES = 256L << 20;

  /** Less has no room for the segment that is written and one before it. */
  public static final long LEAST_BYTES = 3L * SegmentFiles.SEGMENT_BYTES;

  public RecordingOptions {
    requireNonNull(folder, "folder");
    if (bytes < LEAST_BYTES) {
      throw new IllegalArgumentException(
          bytes + " bytes (expected: at least " + (LEAST_BYTES >> 20) + "Mi)");
    }
  }
}
