package dev.sluice.cli.apiserver;

import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.testkit.controlplane.ControlPlane;
import dev.sluice.webhook.ServerOptions;
import dev.sluice.webhook.server.ListenAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the shared cluster; see {@link NeedsDevCluster}. */
final class DevClusterExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace NAMESPACE = Namespace.create(DevClusterExtension.class);
  private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

  /** Closed by JUnit after the last test; the folder stays if a test failed. */
  private static final class Shared implements AutoCloseable {
    private final Path folder;
    private final DevCluster cluster;
    private volatile boolean keeps;

    Shared() {
      try {
        folder = Files.createTempDirectory("sluice-dev-cluster");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      ServerOptions options = ServerOptions.DEFAULT.listeningOn(ANYWHERE, ANYWHERE);
      cluster = DevCluster.start(folder, ControlPlane.Options.apiServer(), options, _ -> {});
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      if (keeps) {
        System.err.println("the logs of the control plane are in " + folder);
        return;
      }
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == DevCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return store(context).computeIfAbsent(Shared.class).cluster;
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Shared shared = store(context).get(Shared.class, Shared.class);
    if (shared != null && context.getExecutionException().isPresent()) {
      shared.keeps = true;
    }
  }

  private static Store store(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE);
  }
}
