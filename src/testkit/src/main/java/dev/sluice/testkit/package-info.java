/**
 * What tests share: a control plane that test classes take from JUnit, random objects, JSON that
 * keeps its spelling, the two lengths of a test run. Programs do not carry it.
 *
 * <p>Start reading at {@link dev.sluice.testkit.controlplane.NeedsControlPlane}.
 */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
