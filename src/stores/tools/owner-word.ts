import { lengthPrefixed, sha256Hex } from "../../lib/digest.ts";

/** One word to the full-text index, and nobody else's; a letter first, so that no stemmer takes it for a number. */
export const ownerWord = (...names: readonly string[]): string =>
  `o${sha256Hex(lengthPrefixed(...names)).slice(0, 40)}x`;
