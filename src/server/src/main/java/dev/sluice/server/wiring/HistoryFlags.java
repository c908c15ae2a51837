package dev.sluice.server.wiring;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a history of the queues is kept, if anywhere. */
@SuppressWarnings("NullAway.Init") // set by picocli before use
public final class HistoryFlags {
  @Option(
      names = "--history",
      paramLabel = "DIR",
      description =
          "Keep a history of Workloads and quotas in this folder, for reports and forecasts"
              + " (default: none).")
  private @Nullable Path folder;

  @Option(
      names = "--history-size",
      paramLabel = "SIZE",
      defaultValue = "256Mi",
      converter = SizeConverter.class,
      description =
          "The most that it takes; the oldest part is dropped for more (default:"
              + " ${DEFAULT-VALUE}).")
  private long size;

  /** The folder, or null. */
  public @Nullable Path folder() {
    return folder;
  }

  /** The bound of all files together, in bytes. */
  public long size() {
    return size;
  }
}
