@NullMarked
package dev.sluice.server.reply;

import org.jspecify.annotations.NullMarked;
