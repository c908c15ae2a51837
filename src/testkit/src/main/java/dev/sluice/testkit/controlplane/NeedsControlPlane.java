package dev.sluice.testkit.controlplane;

import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of this class need a control plane.
 *
 * <p>A parameter of type {@link ControlPlane} receives one that all classes of this JVM which need
 * the same parts share; it starts when it is first asked for and is closed after the last test. It
 * keeps its logs if a test of such a class fails. Use names that no other test uses, or start one
 * of your own.
 *
 * <p>Where neither the binaries nor Go are installed, the tests are skipped with a line that says
 * what to install; with {@code CI=true} in the environment they fail instead.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(ControlPlaneExtension.class)
public @interface NeedsControlPlane {
  /** Beyond etcd and the API server. */
  Part[] value() default {};
}
