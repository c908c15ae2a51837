package dev.sluice.cli.progress;

import dev.sluice.cli.terminal.Terminal;
import dev.sluice.cli.terminal.TerminalBar;
import dev.sluice.server.objects.ReadProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on standard error for long inputs, if standard error is a terminal. Any thread may
 * step.
 */
public final class FileProgress implements ReadProgress {
  static final int MANY_FILES = 200;
  static final long MANY_BYTES = 50L << 20;
  private static final int MANY_OBJECTS = 1000;

  private @Nullable TerminalBar bar;

  private FileProgress(@Nullable TerminalBar bar) {
    this.bar = bar;
  }

  /** Shows nothing. */
  public static FileProgress none() {
    return new FileProgress(null);
  }

  /** Begins to show progress through these files, or shows nothing at all. */
  public static FileProgress over(String task, List<String> files) {
    return over(task, files, false);
  }

  /**
   * Begins to show progress through these files, or shows nothing at all.
   *
   * @param printsMeanwhile whether results go to standard output before the end; then there is no
   *     bar
   */
  public static FileProgress over(String task, List<String> files, boolean printsMeanwhile) {
    boolean useful =
        !(printsMeanwhile && Terminal.STANDARD_OUTPUT.isThere())
            && isLarge(files.size(), bytes(files));
    return over(task, " files", files.size(), useful);
  }

  /** Begins to show progress through so many objects, or shows nothing at all. */
  public static FileProgress overObjects(String task, int objects) {
    return over(task, " objects", objects, objects >= MANY_OBJECTS);
  }

  private static FileProgress over(String task, String unit, int count, boolean useful) {
    return useful && Terminal.STANDARD_ERROR.isThere()
        ? new FileProgress(new TerminalBar(System.err, task, unit, 0, count))
        : none();
  }

  static boolean isLarge(int files, long bytes) {
    return files >= MANY_FILES || bytes >= MANY_BYTES;
  }

  private static long bytes(List<String> files) {
    long bytes = 0;
    for (String file : files) {
      try {
        bytes += Files.size(Path.of(file));
      } catch (IOException | InvalidPathException e) {
        // reading it will say so
      }
    }
    return bytes;
  }

  @Override
  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  /** Makes room for a line of something else. */
  public void clear() {
    if (bar != null) {
      bar.clear();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
