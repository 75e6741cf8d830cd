/**
 * Judges a case of `policy test` by a simulated turn. Pure. A simulation is one turn in which nothing runs and no approval is requested:
 * cases with several turns, answers or other hosts are left to `policy test`, and so are expectations about the reply.
 */

import type { SimulationView } from "../../api-views/policy-views.ts";
import { withoutComments } from "../../lib/json/json-comments.ts";
import { isObject, type JsonObject, objectsIn } from "../../lib/json/json-value.ts";

export interface PolicyCase {
  readonly name: string;
  /** The body of a simulation; undefined if a simulation cannot represent the case. */
  readonly simulation: JsonObject | undefined;
  readonly expected: JsonObject;
}

/** Members of a turn that only the whole gateway can play. */
const PLAYED = ["results", "consent", "advance", "verdict", "inbox", "native", "held", "headers", "request"];

/** Undefined if the text is no file of cases. */
export function readCases(text: string): readonly PolicyCase[] | undefined {
  try {
    const file: unknown = JSON.parse(withoutComments(text));
    if (!isObject(file) || !Array.isArray(file.cases)) return undefined;
    const definitions = isObject(file.tools) ? file.tools : {};
    return file.cases.filter(isObject).map((one) => caseOf(one, definitions));
  } catch {
    return undefined;
  }
}

function caseOf(one: JsonObject, definitions: JsonObject): PolicyCase {
  const turns = objectsIn(one.turns);
  const [turn = {}] = turns;
  const principal = isObject(one.principal) ? one.principal : {};
  const mode = isObject(one.session) ? one.session.mode : undefined;
  const isPlayed = PLAYED.some((name) => Object.hasOwn(turn, name)) || [one.hosts, one.mcp].some(isObject);
  const isJudged = turns.length === 1 && !isPlayed && typeof turn.user === "string";
  const names = Array.isArray(turn.tools) ? turn.tools.map(String) : Object.keys(definitions);
  const calls = objectsIn(turn.model).flatMap((step) => objectsIn(step.calls));
  const simulation = {
    user: turn.user,
    role: principal.role ?? "user",
    ...(mode === undefined ? {} : { mode }),
    ...(principal.connections === undefined ? {} : { connections: principal.connections }),
    authenticated: principal.anonymous !== true,
    tools: names.map((name) => ({ type: "function", function: { name, ...definitionOf(definitions, name) } })),
    calls: calls.map(({ tool, arguments: args = {} }) => ({ name: tool, arguments: args })),
  };
  return {
    name: String(one.name ?? turn.user ?? ""),
    simulation: isJudged ? simulation : undefined,
    expected: isObject(turn.expect) ? turn.expect : {},
  };
}

const definitionOf = (definitions: JsonObject, name: string): JsonObject => {
  const found = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isObject(found) ? found : {};
};

export interface Difference {
  /** Such as `steps.0.withheld`. */
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** @returns an empty list if everything that a simulation can show is as expected. */
export function judgeCase({ expected }: PolicyCase, found: SimulationView): readonly Difference[] {
  const differences: Difference[] = [];
  const compare = (what: string, wanted: unknown, is: unknown): void => {
    const [one, other] = [wanted, is].map((value) => JSON.stringify(value) ?? "–") as [string, string];
    if (wanted !== undefined && one !== other) differences.push({ what, expected: one, found: other });
  };
  const steps = objectsIn(expected.steps);
  const handshake = found.steps.find((step) => step.handshake)?.handshake?.name;
  // If the case has another number of model calls, only the first step is comparable.
  const comparable = steps.length === found.steps.length ? steps : steps.slice(0, 1);
  for (const [at, step] of comparable.entries()) {
    const is = found.steps[at];
    const offered = Array.isArray(step.offered) ? step.offered.filter((name) => name !== handshake) : undefined;
    compare(`steps.${at}.offered`, offered, is?.offered);
    compare(
      `steps.${at}.withheld`,
      isObject(step.withheld) ? sorted(step.withheld) : undefined,
      sorted(withheldOf(is)),
    );
  }
  const decided = found.steps.flatMap(({ calls }) => calls).filter((call) => call.handshake !== true);
  const decisions = objectsIn(expected.decisions).filter(({ tool }) => tool !== handshake);
  for (const [at, { tool, effect, reasons }] of decisions.entries()) {
    const call = decided[at];
    compare(`decisions.${at}.tool`, tool, call?.name);
    compare(`decisions.${at}.effect`, effect, call?.effect);
    compare(
      `decisions.${at}.reasons`,
      reasons,
      call?.reasons.map(({ code }) => code),
    );
  }
  compare("state", expected.state, found.state);
  compare("intents", expected.intents, found.intents);
  compare("intent", expected.intent, found.intents[0] ?? null);
  return differences;
}

const withheldOf = (step: SimulationView["steps"][number] | undefined): JsonObject =>
  Object.fromEntries((step?.withheld ?? []).map(({ name, reasons }) => [name, reasons.map(({ code }) => code)]));

const sorted = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
