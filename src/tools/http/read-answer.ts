/** Reads a server's answer as text for the model. */
import type { JSONPathNode, JSONPathQuery } from "json-p3";
import { mayLoseNumbers, parseExact } from "../../lib/json/exact-json.ts";
import { loadPathCompiler, readJsonPath } from "../../lib/json/json-path.ts";
import type { MatchText, PathCompiler } from "../../lib/json/json-path-environment.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import { type WorkBudget, workBudget } from "../../lib/work-budget.ts";
import { compilePattern, type LinearPattern } from "../../policy/arguments/linear-pattern.ts";
import { BodyFault } from "../reach/guarded-fetch.ts";
import type { RunFailure } from "../run.ts";

interface AnswerText {
  readonly text: string;
  /** The whole answer, before any path. */
  readonly bytes: number;
}

export interface AnswerFault {
  readonly failure: RunFailure;
  readonly detail: string;
  readonly bytes: number;
}

/** @param path RFC 9535: the part of the answer that the model gets; absent: all of it. */
export async function readAnswer(response: Response, path?: string): Promise<Result<AnswerText, AnswerFault>> {
  const read = await bytesOf(response);
  if (!read.ok) return read;
  const { bytes, length } = read.value;
  if (length === 0) return ok({ text: "", bytes: 0 });
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  if (!isText(type)) {
    const kind = KINDS.exec(type)?.[1];
    return unreadable(kind === undefined ? "the answer is no text" : `the answer is \`${kind}\`, not text`, length);
  }
  const text = decode(bytes, type);
  if (text === undefined) return unreadable("the answer is no text", length);
  if (path === undefined) return ok({ text: compact(text, type), bytes: length });
  const found = await selectJson(text, path);
  return found.ok ? ok({ text: found.value, bytes: length }) : unreadable(found.error, length);
}

const unreadable = (detail: string, bytes: number) => err<AnswerFault>({ failure: "unreadable", detail, bytes });

async function bytesOf(
  response: Response,
): Promise<Result<{ readonly bytes: Uint8Array; readonly length: number }, AnswerFault>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      length += chunk.byteLength;
    }
  } catch (error) {
    const { failure, message } =
      error instanceof BodyFault ? error : new BodyFault("unavailable", "the answer broke off");
    return err({ failure, detail: message, bytes: length });
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return ok({ bytes, length });
}

/** This text is outside the untrusted-data marker, so it must not contain server text. */
const KINDS = /^(application|audio|font|image|model|multipart|video)\//;

/** Without a type it is read as text, if it can be. */
const isText = (type: string): boolean =>
  type === "" ||
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|yaml|[^;]*\+(json|xml|yaml)))/.test(type);

const isJson = (type: string): boolean => /^(application|text)\/([^;]*\+)?json/.test(type);

function decode(bytes: Uint8Array, type: string): string | undefined {
  const charset = /;\s*charset="?([^\s;"]+)/.exec(type)?.[1] ?? "utf-8";
  try {
    // An answer without a type must be entirely text.
    return new TextDecoder(charset, { fatal: type === "", ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** JSON without its blanks, since the model's tokens are paid for; numbers stay as they were written. */
function compact(text: string, type: string): string {
  if (!isJson(type)) return text;
  try {
    return JSON.stringify(parseExact(text));
  } catch {
    return text;
  }
}

let environment: PathCompiler | undefined;

const compiled = new Map<string, Result<JSONPathQuery, string>>();
const MAX_COMPILED = 200;

/**
 * As JSON text: the value of a path that can select only one, or the list of all values that another path selects. Filters compare numbers as
 * doubles; selected values keep their numbers as they were written.
 */
export async function selectJson(text: string, path: string): Promise<Result<string, string>> {
  let plain: unknown;
  try {
    plain = JSON.parse(text);
  } catch {
    return err("the answer is not JSON");
  }
  environment ??= await loadPathCompiler(matches);
  const query = compile(environment, path);
  if (!query.ok) return query;
  paying = { work: workBudget(), patterns: new Map() };
  try {
    const found = valuesAt([...query.value.query(plain as never)], text);
    if (!query.value.singularQuery()) return ok(JSON.stringify(found));
    return found.length === 0 ? err(`the answer has nothing at \`${path}\``) : ok(JSON.stringify(found[0]));
  } catch {
    return err(`\`${path}\` cannot be followed in this answer`);
  }
}

interface Search {
  readonly work: WorkBudget;
  /** By their text: a filter tests each item, and the answer itself may hold the pattern. */
  readonly patterns: Map<string, LinearPattern | undefined>;
}

/** For the running query: queries are synchronous. */
let paying: Search = { work: workBudget(), patterns: new Map() };

const matches: MatchText = (text, pattern) => {
  const { work, patterns } = paying;
  if (!patterns.has(pattern)) {
    const compiled = compilePattern(pattern, work);
    patterns.set(pattern, compiled.ok ? compiled.value : undefined);
  }
  return patterns.get(pattern)?.test(text, work) ?? false;
};

/** The library takes a number that is kept as it was written for an object, so then only its locations are used. */
function valuesAt(nodes: readonly JSONPathNode[], text: string): readonly unknown[] {
  if (!mayLoseNumbers(text)) return nodes.map(({ value }) => value);
  const exact = parseExact(text);
  return nodes.map(({ location }) =>
    location.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], exact),
  );
}

function compile(environment: PathCompiler, path: string): Result<JSONPathQuery, string> {
  const known = compiled.get(path);
  if (known) return known;
  const query = readJsonPath(environment, path);
  if (compiled.size >= MAX_COMPILED) compiled.clear();
  compiled.set(path, query);
  return query;
}
