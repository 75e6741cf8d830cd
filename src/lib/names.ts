/** Names that people, tenants and connections go by. Pure. */

/**
 * 1 to 128 printable characters, no blank at either end, in Unicode's composed form (NFC). Names are compared character by
 * character and never normalised, since that would make two principals one; so a spelling that only looks like another is
 * refused instead, and an audit record's name can be trusted by its looks.
 */
export function isName(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 128 &&
    /^\P{C}+$/u.test(value) &&
    value.trim() === value &&
    value.normalize("NFC") === value
  );
}

export const NAME_RULE = "1 to 128 printable characters, no blank at either end, in Unicode's composed form (NFC)";
