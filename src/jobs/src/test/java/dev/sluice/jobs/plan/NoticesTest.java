package dev.sluice.jobs.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class NoticesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Notices notices = new Notices();

  private static Write.Event notice(String uid, String reason, String message) {
    ObjectRef job = new ObjectRef(GroupVersionKind.of("batch/v1", "Job"), "team", "a", uid);
    return new Write.Event(job, "Warning", reason, message);
  }

  @Test
  void aSentenceIsNewsOnce() {
    assertThat(notices.isNews(notice("1", "R", "so"), NOW)).isTrue();
    assertThat(notices.isNews(notice("1", "R", "so"), NOW.plusSeconds(60))).isFalse();
  }

  @Test
  void anotherSentenceReasonOrObjectIsNews() {
    assertThat(notices.isNews(notice("1", "R", "so"), NOW)).isTrue();

    assertThat(notices.isNews(notice("1", "R", "otherwise"), NOW)).isTrue();
    assertThat(notices.isNews(notice("1", "S", "so"), NOW)).isTrue();
    assertThat(notices.isNews(notice("2", "R", "so"), NOW)).isTrue();
  }

  /** An API server keeps an event for an hour. */
  @Test
  void repeatsAnEventBeforeTheApiServerForgetsIt() {
    assertThat(notices.isNews(notice("1", "R", "so"), NOW)).isTrue();
    assertThat(notices.isNews(notice("1", "R", "so"), NOW.plusSeconds(30 * 60 - 1))).isFalse();

    assertThat(notices.isNews(notice("1", "R", "so"), NOW.plusSeconds(30 * 60))).isTrue();
    assertThat(notices.isNews(notice("1", "R", "so"), NOW.plusSeconds(30 * 60 + 1))).isFalse();
  }

  @Test
  void ofVeryManyTheOldestAreForgotten() {
    for (int i = 0; i <= 10_000; i++) {
      notices.isNews(notice("uid-" + i, "R", "so"), NOW);
    }

    assertThat(notices.isNews(notice("uid-10000", "R", "so"), NOW)).isFalse();
    assertThat(notices.isNews(notice("uid-0", "R", "so"), NOW)).isTrue();
  }
}
