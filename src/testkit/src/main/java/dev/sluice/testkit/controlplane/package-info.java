/**
 * The part of JUnit in a control plane: a class of tests that is marked {@link
 * dev.sluice.testkit.controlplane.NeedsControlPlane} receives one that it shares with others.
 */
@NullMarked
package dev.sluice.testkit.controlplane;

import org.jspecify.annotations.NullMarked;
