package dev.sluice.cli.queue;

import dev.sluice.api.ApiKind;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ClusterFlags;
import dev.sluice.server.program.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What stop and resume are about, and the flags that they share. */
@SuppressWarnings("NullAway.Init") // set by picocli before use
final class StopTarget {
  /** A kind that can be stopped, with the short names of kueuectl. */
  enum Kind {
    WORKLOAD(ApiKind.WORKLOAD),
    WL(ApiKind.WORKLOAD),
    KWL(ApiKind.WORKLOAD),
    KUEUEWORKLOAD(ApiKind.WORKLOAD),
    KUEUEWORKLOADS(ApiKind.WORKLOAD),
    LOCALQUEUE(ApiKind.LOCAL_QUEUE),
    LQ(ApiKind.LOCAL_QUEUE),
    CLUSTERQUEUE(ApiKind.CLUSTER_QUEUE),
    CQ(ApiKind.CLUSTER_QUEUE);

    private final ApiKind kind;

    Kind(ApiKind kind) {
      this.kind = kind;
    }
  }

  /** How much of it is done. */
  enum DryRun {
    NONE,
    CLIENT,
    SERVER
  }

  @Mixin private ClusterFlags cluster;

  @Parameters(index = "0", paramLabel = "KIND", description = "workload, localqueue, clusterqueue.")
  private Kind kind;

  @Parameters(index = "1", paramLabel = "NAME", description = "The name of the object.")
  private String name;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description =
          "Its namespace, if its kind has one (default: that of the context, or default).")
  private @Nullable String namespace;

  @Option(
      names = "--dry-run",
      paramLabel = "MODE",
      defaultValue = "NONE",
      description =
          "none, client (only show which workloads are affected) or server (the API server also"
              + " checks it) (default: ${DEFAULT-VALUE}).")
  private DryRun dryRun;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask before.")
  private boolean yes;

  /** Whether it is about a Workload and not about a queue. */
  boolean isWorkload() {
    return kind.kind == ApiKind.WORKLOAD;
  }

  /**
   * Shows which workloads the change affects, asks, and makes it.
   *
   * @param stdin where the answer of the user comes from
   * @return the exit code: 1 if the user did not want it
   */
  int change(StopChange.Action action, InputStream stdin, PrintWriter out) {
    String in = kind.kind.namespaced() ? namespace() : "";
    try (ApiServer server = cluster.connect()) {
      StopChange change =
          StopChange.of(kind.kind, KueueObjects.get(server, kind.kind, in, name), action);
      out.print(change.head());
      if (change.isDone()) {
        out.flush();
        return 0;
      }
      out.print(affected(server, change));
      out.flush();
      if (dryRun == DryRun.CLIENT) {
        return 0;
      }
      if (dryRun == DryRun.NONE && !yes && !agreed(stdin, out)) {
        throw new CommandException("nothing was changed");
      }
      KueueObjects.merge(server, kind.kind, in, name, change.patch(), dryRun == DryRun.SERVER);
      out.println(dryRun == DryRun.SERVER ? "the API server would accept it" : "done");
      out.flush();
      return 0;
    }
  }

  private String affected(ApiServer server, StopChange change) {
    if (!change.affectsOthers()) {
      return "";
    }
    try {
      String in = kind.kind.namespaced() ? namespace() : "";
      return change.affected(KueueObjects.list(server, ApiKind.WORKLOAD, in));
    } catch (CommandException e) {
      return "the affected workloads are not known: " + e.getMessage() + "\n";
    }
  }

  private static boolean agreed(InputStream stdin, PrintWriter out) {
    out.print("Go on? [y/N] ");
    out.flush();
    try {
      String answer =
          new BufferedReader(new InputStreamReader(stdin, StandardCharsets.UTF_8)).readLine();
      return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String namespace() {
    return namespace == null ? cluster.namespace() : namespace;
  }
}
