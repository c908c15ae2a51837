/**
 * What tests share: a real API server to talk to, random objects, and JSON that keeps its spelling.
 *
 * <p>Start reading at {@link dev.sluice.testkit.controlplane.ControlPlane}; {@link
 * dev.sluice.testkit.ApiClient} speaks to the API server it starts.
 */
@NullMarked
package dev.sluice.testkit;

import org.jspecify.annotations.NullMarked;
