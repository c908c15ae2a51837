package dev.sluice.testkit.controlplane;

import static dev.sluice.controlplane.ControlPlaneException.Reason.BINARY_MISSING;

import dev.sluice.controlplane.Binaries;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Options;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.ControlPlaneException;
import dev.sluice.testkit.controlplane.Readiness.Failing;
import dev.sluice.testkit.controlplane.Readiness.Skipped;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Gives tests the shared control plane; see {@link NeedsControlPlane}. */
final class ControlPlaneExtension
    implements ExecutionCondition,
        BeforeAllCallback,
        AfterTestExecutionCallback,
        ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(ControlPlaneExtension.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (readiness(context) instanceof Skipped(String sentence)) {
      sayOnce(context, "tests skipped: " + sentence);
      return ConditionEvaluationResult.disabled(sentence);
    }
    return ConditionEvaluationResult.enabled("a control plane can be had, or has to be");
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (readiness(context) instanceof Failing(String sentence)) {
      throw new ControlPlaneException(BINARY_MISSING, sentence);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ControlPlane.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Set<Part> parts = parts(context);
    return shared(context)
        .computeIfAbsent(
            parts,
            _ -> ControlPlane.start(Options.apiServer().withParts(parts)),
            ControlPlane.class);
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    var started = shared(context).get(parts(context), ControlPlane.class);
    if (started != null && context.getExecutionException().isPresent()) {
      started.keepLogs();
    }
  }

  private static Readiness readiness(ExtensionContext context) {
    var binaries = Binaries.ofThisProcess();
    boolean mustRun = "true".equals(System.getenv("CI")) || binaries.isFolderNamed();
    return Readiness.of(binaries.obstacle(parts(context)), mustRun);
  }

  private static Set<Part> parts(ExtensionContext context) {
    var parts = EnumSet.of(Part.ETCD, Part.KUBE_APISERVER);
    AnnotationSupport.findAnnotation(context.getRequiredTestClass(), NeedsControlPlane.class)
        .ifPresent(annotation -> parts.addAll(List.of(annotation.value())));
    return parts;
  }

  private static void sayOnce(ExtensionContext context, String line) {
    shared(context)
        .computeIfAbsent(
            line,
            _ -> {
              System.err.println(line);
              return line;
            });
  }

  /** The store of the whole run: what is in it is closed after the last test. */
  private static Store shared(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE);
  }
}
