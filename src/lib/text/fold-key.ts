/**
 * An object's key as the laxest JSON readers take it. Pure.
 *
 * Some readers ignore case (Go, .NET, Java with a setting), some normalise Unicode first, and a person sees no invisible
 * character. Two keys that fold to the same text are one key to some reader, so only one of them may stand in an object.
 */
const PLAIN = /^[a-z0-9_-]*$/;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

export function foldKey(key: string): string {
  if (PLAIN.test(key)) return key;
  // By way of the capitals: only there the dotless i of Turkish is an i. The dotted capital leaves its dot behind.
  const folded = key.normalize("NFKC").replace(UNSEEN, "").toLowerCase().toUpperCase().toLowerCase();
  return folded.replaceAll("i\u0307", "i");
}
