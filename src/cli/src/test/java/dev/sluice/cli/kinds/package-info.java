/**
 * Every kind of jobs through its life on a real API server: {@link
 * dev.sluice.cli.kinds.JobKindLifeE2E}. A kind is one {@link dev.sluice.cli.kinds.KindStory} in
 * {@link dev.sluice.cli.kinds.KindStories}.
 */
@NullMarked
package dev.sluice.cli.kinds;

import org.jspecify.annotations.NullMarked;
