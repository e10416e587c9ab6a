package io.krypton.kms.encryption;

/** A resource and its API group; the core group is empty, a star stands for all. */
record GroupResource(String resource, String group) {
  static final GroupResource ANY = new GroupResource("*", "*");

  /** Splits at the first dot, so that {@code secrets} equals {@code secrets.}. */
  static GroupResource parse(String text) {
    int dot = text.indexOf('.');
    return dot < 0
        ? new GroupResource(text, "")
        : new GroupResource(text.substring(0, dot), text.substring(dot + 1));
  }

  boolean isWildcard() {
    return resource.equals("*");
  }

  GroupResource wildcardOfGroup() {
    return new GroupResource("*", group);
  }

  /** As users write it in the file. */
  @Override
  public String toString() {
    return group.isEmpty() && !isWildcard() ? resource : resource + "." + group;
  }
}
