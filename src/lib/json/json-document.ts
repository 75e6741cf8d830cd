/**
 * Reads the text of a JSON document that a person wrote. Pure. It accepts what `strict-json.ts` accepts, and reports every
 * fault with its place. With `JSON.parse` the last of two equal keys wins; no author who wrote both can mean that.
 */
import { jsonFaultText, positionAt } from "./json-position.ts";
import { endOfString, isKey, type JsonFault, MAX_DEPTH, NUMBER, survivesRoundTrip } from "./strict-json.ts";

export interface DocumentFault {
  readonly problem: JsonFault["problem"];
  /** From the root down to the part; empty where the text is no JSON at all. */
  readonly path: readonly (string | number)[];
  /** What is wrong, with line and column. */
  readonly message: string;
}

export interface DocumentText {
  /** Absent where the text is no JSON, or is nested so deeply that nobody should walk it. */
  readonly read?: { readonly value: unknown };
  readonly faults: readonly DocumentFault[];
}

/** Each is looked up in the whole text for its line. */
const MAX_FAULTS = 100;

export function readJsonDocument(text: string): DocumentText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { faults: [{ problem: "syntax", path: [], message: jsonFaultText(text) }] };
  }
  const faults = findFaults(text);
  return faults.some(({ problem }) => problem === "depth") ? { faults } : { read: { value }, faults };
}

interface Level {
  /** Absent in a list. */
  readonly keys?: Set<string>;
  /** The member that the walk is in. */
  step: string | number;
}

interface Walk {
  readonly text: string;
  readonly levels: Level[];
  readonly faults: DocumentFault[];
}

/** Walks the tokens of valid JSON once. */
function findFaults(text: string): readonly DocumentFault[] {
  const walk: Walk = { text, levels: [], faults: [] };
  for (let at = 0; at < text.length && walk.faults.length < MAX_FAULTS; ) {
    const char = text[at] ?? "";
    const level = walk.levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, at);
      if (level?.keys && isKey(text, end)) enterMember(walk, level.keys, at, end);
      at = end;
      continue;
    }
    if (char === "{" || char === "[") {
      if (walk.levels.length === MAX_DEPTH) {
        report(walk, "depth", at, "is nested too deeply");
        break;
      }
      walk.levels.push(char === "{" ? { keys: new Set(), step: "" } : { step: 0 });
    } else if (char === "}" || char === "]") walk.levels.pop();
    else if (char === "," && typeof level?.step === "number") level.step++;
    else if (/[-\d]/.test(char)) {
      at += checkNumber(walk, at);
      continue;
    }
    at++;
  }
  return walk.faults;
}

function enterMember(walk: Walk, keys: Set<string>, at: number, end: number): void {
  const key = JSON.parse(walk.text.slice(at, end)) as string;
  const level = walk.levels.at(-1);
  if (level) level.step = key;
  const cited = `\`${key.slice(0, 128)}\``;
  if (key === "__proto__") report(walk, "proto_key", at, `${cited} cannot be a name, choose another`);
  else if (keys.has(key))
    report(walk, "duplicate_key", at, `${cited} stands twice in this object, where readers keep one: remove the other`);
  keys.add(key);
}

function checkNumber(walk: Walk, at: number): number {
  NUMBER.lastIndex = at;
  const raw = NUMBER.exec(walk.text)?.[0] ?? "";
  if (!survivesRoundTrip(raw)) report(walk, "number", at, "a double cannot hold this number, write fewer digits");
  return Math.max(raw.length, 1);
}

function report({ text, levels, faults }: Walk, problem: DocumentFault["problem"], at: number, what: string): void {
  const { line, column } = positionAt(text, at);
  faults.push({ problem, path: levels.map(({ step }) => step), message: `line ${line}, column ${column}: ${what}` });
}
