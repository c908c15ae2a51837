package dev.sluice.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Kubeconfig files for servers of tests. */
public final class Kubeconfigs {
  private Kubeconfigs() {}

  /**
   * Writes one that leads to a server on loopback without TLS, which is asked without credentials.
   *
   * @param folder where the file is made, with the name kubeconfig
   */
  public static Path plain(Path folder, int port) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: here, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: me, user: {}}]
        contexts: [{name: here, context: {cluster: here, user: me}}]
        current-context: here
        """
            .formatted(port));
  }
}
