package dev.sluice.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.BUILD_FAILED;
import static dev.sluice.controlplane.ControlPlaneException.Reason.FILES;
import static dev.sluice.controlplane.ControlPlaneException.Reason.TIMED_OUT;

import dev.sluice.controlplane.ControlPlane.Part;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Builds programs into a folder, one after the other. A file lock keeps two processes from building
 * at once: the second waits and finds the work done. A program appears under its name only when it
 * is complete, so a build that is killed leaves nothing that could be taken for a binary.
 */
final class GoBuild {
  private static final Duration BOUND = Duration.ofMinutes(40);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final Path go;
  private final Path folder;
  private final Progress progress;

  GoBuild(Path go, Path folder, Progress progress) {
    this.go = go;
    this.folder = folder;
    this.progress = progress;
  }

  /** Builds those of the parts that the folder does not have yet. */
  void build(List<Part> parts) {
    PrivateFiles.folder(folder);
    try (var channel = openLock();
        var _ = await(channel)) {
      GoModule.extract(folder);
      List<Part> missing =
          parts.stream().filter(part -> !Files.exists(folder.resolve(part.program()))).toList();
      for (int i = 0; i < missing.size(); i++) {
        build(missing.get(i), (i + 1) + " of " + missing.size());
      }
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot build in " + folder, e);
    } finally {
      progress.end();
    }
  }

  private FileChannel openLock() throws IOException {
    Path file = folder.resolve("lock");
    return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private FileLock await(FileChannel channel) {
    var lock = new AtomicReference<@Nullable FileLock>();
    long start = System.nanoTime();
    boolean free =
        Poll.until(
            BOUND,
            TICK,
            () -> {
              lock.set(tryLock(channel));
              if (lock.get() == null) {
                progress.report("waiting for another process that builds the same", since(start));
              }
              return lock.get() != null;
            });
    FileLock held = lock.get();
    if (!free || held == null) {
      throw new ControlPlaneException(
          TIMED_OUT, "another process holds the build lock of " + folder + " for too long");
    }
    return held;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // another thread of this JVM builds
    } catch (IOException e) {
      throw new ControlPlaneException(FILES, "cannot lock the folder of binaries", e);
    }
  }

  private void build(Part part, String position) throws IOException {
    Path draft = folder.resolve("." + part.program() + ".draft");
    Path log = folder.resolve(part.program() + ".build.log");
    Files.deleteIfExists(log);
    String what =
        "building %s (%s), usually about %s on two cores"
            .formatted(part.program(), position, part.usualBuild());
    progress.begin(what);
    var environment = Map.of("CGO_ENABLED", "0", "GOWORK", "off");
    var child = Child.start("go build", command(part, draft), environment, folder, log);
    await(child, part, what);
    Files.move(draft, folder.resolve(part.program()), StandardCopyOption.ATOMIC_MOVE);
    Files.delete(log);
  }

  private List<String> command(Part part, Path draft) {
    var command = new ArrayList<>(List.of(go.toString(), "build"));
    command.addAll(GoModule.FLAGS);
    command.addAll(List.of("-o", draft.toString(), part.goPackage()));
    return command;
  }

  private void await(Child child, Part part, String what) {
    long start = System.nanoTime();
    while (!child.ends(TICK)) {
      progress.report(what, since(start));
      if (since(start).compareTo(BOUND) > 0) {
        child.kill();
        throw new ControlPlaneException(
            TIMED_OUT, what + ": not done after " + BOUND.toMinutes() + "m");
      }
    }
    if (child.exitCode() != 0) {
      throw new ControlPlaneException(
          BUILD_FAILED, "cannot build " + part.program() + ":\n" + child.tail());
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
