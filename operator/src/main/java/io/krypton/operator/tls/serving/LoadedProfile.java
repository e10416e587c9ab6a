package io.krypton.operator.tls.serving;

import io.krypton.operator.tls.profile.TlsProfile;

/**
 * A profile and where it came from.
 *
 * @param digest of the bytes it was read from; empty if it was not read from a file
 */
record LoadedProfile(TlsProfile profile, String source, String digest) {}
