package dev.sluice.cli.testcluster;

import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.controlplane.ControlPlane;
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

  /** The store closes it after the last test. */
  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return store(context)
        .computeIfAbsent(
            TestCluster.class,
            _ -> TestCluster.start(ControlPlane.Options.apiServer()),
            TestCluster.class)
        .cluster();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    TestCluster shared = store(context).get(TestCluster.class, TestCluster.class);
    if (shared != null && context.getExecutionException().isPresent()) {
      shared.keepFiles();
    }
  }

  private static Store store(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE);
  }
}
