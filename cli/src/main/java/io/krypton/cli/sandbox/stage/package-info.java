/** What demos and kept sandboxes share: telling a person, running tools, files of a KMS plugin. */
@NullMarked
package io.krypton.cli.sandbox.stage;

import org.jspecify.annotations.NullMarked;
