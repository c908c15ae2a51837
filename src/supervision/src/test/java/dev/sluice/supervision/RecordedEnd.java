package dev.sluice.supervision;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An end of the process that only notes what it was asked. */
final class RecordedEnd implements ProcessEnd {
  final List<String> halts = new CopyOnWriteArrayList<>();

  @Override
  public void halt(int code, String why) {
    halts.add(code + " " + why);
  }

  @Override
  public void leave(int code, String why) {
    halts.add("leave " + code + " " + why);
  }
}
