/** What run, serve and dev-cluster share: flags, certificates, starting and stopping a server. */
@NullMarked
package dev.sluice.cli.server;

import org.jspecify.annotations.NullMarked;
