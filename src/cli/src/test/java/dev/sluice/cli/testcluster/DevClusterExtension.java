package dev.sluice.cli.testcluster;

import dev.sluice.cli.devcluster.DevCluster;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the shared cluster; see {@link NeedsDevCluster}. */
final class DevClusterExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace NAMESPACE = Namespace.create(DevClusterExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == DevCluster.class;
  }

  /** The store gives it back after the last test. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return store(context)
        .computeIfAbsent(Lent.class, _ -> Lent.by(ClusterPool.of(context)), Lent.class)
        .cluster()
        .cluster();
  }

  private record Lent(ClusterPool pool, TestCluster cluster) implements AutoCloseable {
    static Lent by(ClusterPool pool) {
      return new Lent(pool, pool.take());
    }

    @Override
    public void close() {
      pool.giveBack(cluster);
    }
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    Lent shared = store(context).get(Lent.class, Lent.class);
    if (shared != null && context.getExecutionException().isPresent()) {
      shared.cluster().keepFiles();
    }
  }

  private static Store store(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE);
  }
}
