/** Writes a document as JSON with comments, which the reader of policies accepts. Pure. */
import { plainLine } from "../../../lib/text/visible-text.ts";

const WIDTH = 120;

/** By JSON pointer, without escapes: each comment is in front of its member, on lines of its own. */
export type Comments = ReadonlyMap<string, readonly string[]>;

export function jsoncText(value: unknown, comments: Comments): string {
  return `${written(value, "", "", comments)}\n`;
}

function written(value: unknown, path: string, indent: string, comments: Comments): string {
  const flat = JSON.stringify(value);
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null) return flat;
  const members: [key: string, value: unknown][] = Object.entries(value);
  const isCommented = members.some(([key]) => comments.has(`${path}/${key}`));
  const isSimple = members.every(
    ([, member]) => typeof member !== "object" || member === null || Object.keys(member).length < 3,
  );
  const spaced = spacedText(value);
  if (members.length === 0 || (!isCommented && isSimple && indent.length + spaced.length < WIDTH && indent !== ""))
    return spaced;
  const deeper = `${indent}  `;
  if (isList && !isCommented && value.every((one) => typeof one !== "object")) return filled(value, indent);
  const lines = members.flatMap(([key, member], index) => {
    const comment = comments.get(`${path}/${key}`) ?? [];
    const text = `${deeper}${isList ? "" : `${JSON.stringify(key)}: `}${written(member, `${path}/${key}`, deeper, comments)}${index < members.length - 1 ? "," : ""}`;
    return [...comment.map((line) => commentLine(line, deeper)), text];
  });
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  return `${open}\n${lines.join("\n")}\n${indent}${close}`;
}

/** As many on a line as fit: a person skims a list of sentences. */
function filled(values: readonly unknown[], indent: string): string {
  const lines: string[] = [];
  for (const text of values.map((value, at) => `${JSON.stringify(value)}${at < values.length - 1 ? "," : ""}`)) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + text.length + 3 < WIDTH)
      lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
  }
  return `[\n${lines.map((line) => `${indent}  ${line}`).join("\n")}\n${indent}]`;
}

/** The authors of tools choose words of a comment: none may end it. */
const commentLine = (comment: string, indent: string): string => `${indent}// ${plainLine(comment, 600)}`;

/** On one line. */
export function spacedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedText).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedText(member)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
