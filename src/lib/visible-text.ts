/** Text of others in which nothing is unseen, or turns the direction of writing: it can look like no other. Pure. */

/** Line breaks and tabs aside, and what joins the signs of some scripts. */
const UNSEEN = /[^\P{Cc}\n\t]|(?![\u200c\u200d])\p{Cf}|[\u2028\u2029\u115f\u1160\u3164\uffa0]/gu;

/** With a sign in place of each. */
export const visible = (text: string): string => text.replace(UNSEEN, "\ufffd");

/** JSON on several lines (with no indent on one), with an escape in place of each. */
export const visibleJson = (value: unknown, indent = 2): string =>
  JSON.stringify(value, null, indent).replace(UNSEEN, escaped);

const escaped = (one: string): string =>
  [...Array(one.length).keys()].map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");

/** Without them: for text that is read by a model, and must say no more than a person sees. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, "");

export const hasUnseen = (text: string): boolean => text.search(UNSEEN) >= 0;
