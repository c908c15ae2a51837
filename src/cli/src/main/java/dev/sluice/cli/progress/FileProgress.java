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

/** A progress bar on standard error for inputs that take a while, if somebody is looking. */
public final class FileProgress implements AutoCloseable {
  static final int MANY_FILES = 200;
  static final long MANY_BYTES = 50L << 20;

  private final @Nullable ProgressBar bar;

  private FileProgress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Begins to show progress through these files, or shows nothing at all. */
  public static FileProgress over(String task, List<String> files) {
    if (!isTerminal() || !isLarge(files.size(), bytes(files))) {
      return new FileProgress(null);
    }
    return new FileProgress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(files.size())
            .setUnit(" files", 1)
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

  /** One file more is done. */
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
