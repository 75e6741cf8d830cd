/** Text of others in which nothing is unseen, or turns the direction of writing: it can look like no other. Pure. */

/**
 * Characters that a person does not see: controls but for line breaks and tabs, format characters, fillers, tags. The format
 * characters of Arabic, Syriac and Kaithi that are signs are not among them.
 */
const UNSEEN =
  /[^\P{Cc}\n\t]|(?![\u200c\u200d]|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])\p{Cf}|[\u034f\u115f\u1160\u17b4\u17b5\u2028\u2029\u2065\u3164\uffa0\ufff0-\ufff8\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu;

/** Joiners and variation selectors in a row. Scripts and emoji need one of each at most; more can spell a hidden message. */
const RUN = /(?:[\u200c\u200d]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]){2,}/gu;
const NEEDED = /^[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]?[\u200c\u200d]?/u;

function replaceUnseen(text: string, by: (one: string) => string): string {
  return text.replace(UNSEEN, by).replace(RUN, (run) => {
    const [needed = ""] = NEEDED.exec(run) ?? [];
    return needed + [...run.slice(needed.length)].map(by).join("");
  });
}

/** With a sign in place of each. */
export const visible = (text: string): string => replaceUnseen(text, () => "\ufffd");

/** JSON on several lines (with no indent on one), with an escape in place of each. */
export const visibleJson = (value: unknown, indent = 2): string =>
  replaceUnseen(JSON.stringify(value, null, indent), escaped);

const escaped = (one: string): string =>
  [...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** Without them: for text that is read by a model, and must say no more than a person sees. */
export const withoutUnseen = (text: string): string => replaceUnseen(text, () => "");

export const hasUnseen = (text: string): boolean => withoutUnseen(text) !== text;
