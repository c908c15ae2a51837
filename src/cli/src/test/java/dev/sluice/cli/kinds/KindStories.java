package dev.sluice.cli.kinds;

import java.util.List;
import java.util.stream.Stream;

/** All stories: the one place where a kind is added to {@link JobKindLifeE2E}. */
final class KindStories {
  private KindStories() {}

  static List<KindStory> all() {
    return Stream.of(ReplicaStory.all()).flatMap(List::stream).toList();
  }
}
