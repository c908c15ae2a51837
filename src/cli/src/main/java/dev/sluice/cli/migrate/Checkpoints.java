package dev.sluice.cli.migrate;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.migrate.Checkpoint.Definition;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The checkpoints of one cluster, a file for each kind. A file is replaced in one step: whenever
 * this process is killed, either the old or the new one is there, and the old one costs only that
 * its last page is looked at twice. One process at a time has them.
 */
final class Checkpoints implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final FileChannel lockFile;

  private Checkpoints(Path folder, FileChannel lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  /**
   * Opens them, making the folder if needed.
   *
   * @param data where this program keeps its state
   * @param cluster a name that no other cluster has
   * @throws CommandException if another process has them, or the folder cannot be used
   */
  static Checkpoints open(Path data, String cluster) {
    Path folder = data.resolve("migrate").resolve(cluster.replaceAll("[^A-Za-z0-9.-]", "_"));
    try {
      Files.createDirectories(folder);
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel).isEmpty()) {
        channel.close();
        throw new CommandException(
            "another migrate command is running on this cluster (it holds "
                + folder.resolve("lock")
                + ")");
      }
      return new Checkpoints(folder, channel);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private static Optional<FileLock> tryLock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException _) {
      return Optional.empty(); // held by this very process
    }
  }

  /** The checkpoint of a kind, if there is one that is about the same state of its definition. */
  Optional<Checkpoint> load(ApiKind kind, Definition definition) {
    try {
      Checkpoint found = JSON.readValue(Files.readAllBytes(file(kind)), Checkpoint.class);
      return found.definition().equals(definition) ? Optional.of(found) : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException | NullPointerException _) {
      return Optional.empty(); // damaged: starting again is slow but correct
    }
  }

  /** Replaces the checkpoint of a kind. */
  void save(ApiKind kind, Checkpoint checkpoint) {
    Path next = folder.resolve(kind.plural() + ".next");
    try (FileChannel channel =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(checkpoint));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      Files.move(
          next, file(kind), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  /** Forgets the checkpoint of a kind, because nothing is left to do. */
  void delete(ApiKind kind) {
    try {
      Files.deleteIfExists(file(kind));
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }

  private Path file(ApiKind kind) {
    return folder.resolve(kind.plural() + ".json");
  }

  private static CommandException unusable(Path folder, IOException e) {
    return new CommandException(folder + ": cannot store the progress there: " + e.getMessage(), e);
  }

  /** Lets another process have them. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw unusable(folder, e);
    }
  }
}
