/** A disclosure as plain text of several lines, without the question. Pure. */
import type { ChangedLine, Disclosure } from "./disclosed.ts";

export function disclosureText({ summary, notes, arguments: args, more, changes, undoing }: Disclosure): string {
  const values = args.map(({ name, value }) => `  ${name}: ${value}`);
  const others = more > 0 ? [`  … (${more})`] : [];
  return [
    summary,
    ...values,
    ...others,
    ...changes.map(changeLine),
    ...notes,
    ...(undoing === "" ? [] : [undoing]),
  ].join("\n");
}

const signs: Readonly<Record<ChangedLine["kind"], string>> = { same: " ", added: "+", removed: "-" };

const changeLine = ({ kind, text }: ChangedLine): string => `${signs[kind]} ${text}`;
