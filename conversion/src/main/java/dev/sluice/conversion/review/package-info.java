/**
 * The ConversionReview that an API server sends, and the answer to it. Start at {@link
 * dev.sluice.conversion.review.ReviewConverter}.
 */
@NullMarked
package dev.sluice.conversion.review;

import org.jspecify.annotations.NullMarked;
