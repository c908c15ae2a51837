package dev.sluice.server.schedule;

import dev.sluice.api.Quantity;
import dev.sluice.scheduler.recorder.RecordingOptions;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The flags of the flight recorder. */
@SuppressWarnings("NullAway.Init") // set by picocli, from the defaults where a flag is not given
public final class RecordFlags {
  private static final String OFF = "off";

  /** Sizes such as 256Mi. */
  static final class Size implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      long bytes = Quantity.parse(text).map(it -> it.value().longValue()).orElse(0L);
      if (bytes < RecordingOptions.LEAST_BYTES) {
        throw new TypeConversionException(
            text + " (expected: at least " + (RecordingOptions.LEAST_BYTES >> 20) + "Mi)");
      }
      return bytes;
    }
  }

  @Option(
      names = "--record",
      paramLabel = "DIR",
      description =
          "Record what the engine is told and decides in this folder, for sluice replay; off for"
              + " no recording (default: off, and for dev-cluster a folder beside its data). Each"
              + " replica needs a folder of its own.")
  private @Nullable String folder;

  @Option(
      names = "--record-size",
      paramLabel = "SIZE",
      defaultValue = "256Mi",
      converter = Size.class,
      description =
          "How much all recordings in the folder take at most; the oldest are dropped first"
              + " (default: ${DEFAULT-VALUE}).")
  private long bytes;

  /** Whether a folder was chosen. */
  public boolean isGiven() {
    return folder != null && !folder.equals(OFF);
  }

  /**
   * Where decisions are recorded; empty for nowhere.
   *
   * @param otherwise the folder where the flag is not given, or null for none
   */
  public Optional<RecordingOptions> in(@Nullable Path otherwise) {
    Path chosen = folder == null ? otherwise : folder.equals(OFF) ? null : Path.of(folder);
    return Optional.ofNullable(chosen).map(it -> new RecordingOptions(it, bytes));
  }
}
