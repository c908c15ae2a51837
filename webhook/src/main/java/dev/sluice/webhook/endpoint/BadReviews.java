package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.review.BadReviewException;

/** What is answered to a request that is no review, or too much of one. */
final class BadReviews {
  private BadReviews() {}

  static Answer answer(BadReviewException e) {
    int status =
        switch (e.reason()) {
          case MALFORMED -> 400;
          case OVER_LIMIT -> 413;
          case NO_ROOM -> 429;
          case OUT_OF_TIME -> 503;
        };
    return Answer.sentence(status, e.sentence());
  }
}
