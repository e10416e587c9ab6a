package io.krypton.agent.reporter;

/** The form in which a report is written. */
public enum ReportForm {
  CONDITION("condition"),
  TYPED("typed");

  private final String word;

  ReportForm(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
