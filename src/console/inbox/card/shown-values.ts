/** The values of a call as the page draws them: whole, and so that two different ones never look the same. Pure. */

import { isObject } from "../../../lib/json/json-value.ts";
import { shownLine } from "../../../lib/text/visible-text.ts";
import { wholeValue } from "../../../lib/text/whole-value.ts";
import type { ApprovalView } from "../../api/approval.ts";
import { HIDDEN } from "../../form/field.ts";

export interface ValueView {
  readonly name: string;
  readonly text: string;
  /** Any value but a text, as JSON. */
  readonly isJson: boolean;
  readonly escaped: boolean;
  readonly isHidden: boolean;
  /** Records leave it out: it is shown when it is asked for. */
  readonly isPrivate: boolean;
  /** More than is seen at a glance. */
  readonly isLong: boolean;
  readonly characters: number;
}

/** What stands beside its name; longer ones stand below it. */
export const BRIEF = 60;

/** What the policy keeps out of the record has its beginnings alone. */
export function shownValues({
  arguments: whole,
  details,
}: Pick<ApprovalView, "arguments" | "details">): readonly ValueView[] {
  const told = new Map((details?.arguments ?? []).map((one, index) => [one.name, { ...one, index }]));
  if (!isObject(whole)) {
    return [...told.values()].map(({ name, value, escaped, redacted, private: isPrivate }) => ({
      ...{ name, text: value, isJson: false, escaped, isHidden: redacted, isPrivate },
      ...{ isLong: false, characters: value.length },
    }));
  }
  const place = (name: string) => told.get(shownLine(name).text)?.index ?? Number.MAX_SAFE_INTEGER;
  return Object.entries(whole)
    .sort(([one], [other]) => place(one) - place(other))
    .map(([name, value]) => {
      const known = told.get(shownLine(name).text);
      const shownName = shownLine(name);
      const { text, isJson, escaped, isLong } = wholeValue(value);
      return {
        name: shownName.text,
        text,
        isJson,
        escaped: escaped || shownName.escaped,
        isHidden: known?.redacted ?? value === HIDDEN,
        isPrivate: known?.private ?? false,
        isLong,
        characters: isJson ? text.length : [...String(value)].length,
      };
    });
}

/** Those that the person has to bring into view before they can approve. */
export const unseenValues = (values: readonly ValueView[], seen: ReadonlySet<string>): readonly string[] =>
  values
    .filter(({ isHidden, isPrivate, isLong, name }) => !isHidden && (isPrivate || isLong) && !seen.has(name))
    .map(({ name }) => name);
