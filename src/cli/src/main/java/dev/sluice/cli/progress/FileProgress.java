package dev.sluice.cli.progress;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on standard error for inputs that take a while, if somebody is looking. Any thread
 * may step.
 */
public final class FileProgress implements AutoCloseable {
  static final int MANY_FILES = 200;
  static final long MANY_BYTES = 50L << 20;
  private static final int MANY_OBJECTS = 1000;

  private final @Nullable ProgressBar bar;

  private FileProgress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Begins to show progress through these files, or shows nothing at all. */
  public static FileProgress over(String task, List<String> files) {
    return over(task, " files", files.size(), isLarge(files.size(), bytes(files)));
  }

  /** Begins to show progress through so many objects, or shows nothing at all. */
  public static FileProgress overObjects(String task, int objects) {
    return over(task, " objects", objects, objects >= MANY_OBJECTS);
  }

  private static FileProgress over(String task, String unit, int count, boolean isLarge) {
    if (!isTerminal() || !isLarge) {
      return new FileProgress(null);
    }
    return new FileProgress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(count)
            .setUnit(unit, 1)
            .setStyle(ProgressBarStyle.ASCII)
            .showSpeed()
            .build());
  }

  static boolean isLarge(int files, long bytes) {
    return files >= MANY_FILES || bytes >= MANY_BYTES;
  }

  private static boolean isTerminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
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

  /** One more is done. */
  public void step() {
    if (bar != null) {
      bar.step();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
