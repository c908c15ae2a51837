/**
 * The dashboard: its files, which any port can show, and a server on loopback that shows them to
 * one user and asks the cluster with that user's rights. Start at {@link
 * dev.sluice.server.dashboard.DashboardServer}.
 */
@NullMarked
package dev.sluice.server.dashboard;

import org.jspecify.annotations.NullMarked;
