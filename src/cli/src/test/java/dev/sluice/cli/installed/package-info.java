/**
 * The two programs of our Pod as they are installed: with the arguments of the Deployment and the
 * rights of its account, as processes beside a whole control plane. Start with {@link
 * dev.sluice.cli.installed.InstalledE2E}.
 */
@NullMarked
package dev.sluice.cli.installed;

import org.jspecify.annotations.NullMarked;
