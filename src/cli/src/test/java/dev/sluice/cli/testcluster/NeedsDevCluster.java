package dev.sluice.cli.testcluster;

import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of this class need an API server with Sluice installed. A parameter of type {@link
 * dev.sluice.cli.devcluster.DevCluster} receives one that all classes share: use names that no
 * other test uses, and leave the installation as it was. Skipped or failed like {@link
 * NeedsControlPlane} where there is nothing to start.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@NeedsControlPlane
@ExtendWith(DevClusterExtension.class)
public @interface NeedsDevCluster {}
