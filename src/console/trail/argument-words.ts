/** Text of a call's first arguments, for one line. Pure. */
import { isObject } from "../../lib/json/json-value.ts";

const FIRST = 2;
const LONGEST = 40;

/** Lists and objects are left out. "" if there is nothing to show. */
export function argumentWords(args: unknown): string {
  if (!isObject(args)) return "";
  const plain = Object.entries(args).filter(([, value]) => typeof value === "string" || typeof value === "number");
  return plain
    .slice(0, FIRST)
    .map(([name, value]) => `${name} ${clipped(String(value))}`)
    .join(", ");
}

/** Cuts at whole characters. */
function clipped(text: string): string {
  const characters = [...text.replaceAll(/\s+/g, " ")];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : characters.join("");
}
