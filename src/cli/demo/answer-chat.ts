/**
 * The demo model's answers, by a few rules, so that the gateway can be tried without a provider. Pure.
 *
 *  1. a plan if one is requested
 *  2. directives in the message are followed to the letter
 *  3. once tools were called for the message: what they returned
 *  4. the offered tool that shares words with the message is called, with arguments from its schema and the message
 *  5. if none does and the message names a thing (a path, an address, a quoted text): the gateway's handshake tool,
 *     and after it the first tool that takes such a thing
 *  6. else words, which say that this is the demo model
 */
import { PLAN_FORMAT, TOOLS_HEADING } from "../../plan/planner-prompt.ts";
import type { ModelAnswer, ScriptedCall } from "../write-answer.ts";
import { type DemoRequest, type DemoTool, readDirectives, readRequest, toolOf } from "./chat-request.ts";
import { fillArguments, objectOf } from "./fill-arguments.ts";
import { findValues, type MessageValues, stems } from "./message-values.ts";

export function answerChat(body: unknown): ModelAnswer {
  const request = readRequest(body);
  const { format, message, rounds, tools } = request;
  if (format?.name === PLAN_FORMAT) return { text: answerPlan(request) };
  const directed = readDirectives(message);
  const step = directed[rounds];
  if (step) return { calls: step.calls, ...(step.say === "" ? {} : { text: step.say }) };
  const values = findValues(message);
  const call = directed.length === 0 ? chooseCall(request, values) : undefined;
  if (call) return { calls: [{ name: call.name, arguments: JSON.stringify(call.arguments) }] };
  const text = request.results.length > 0 ? reportResults(request.results) : describeItself(tools);
  if (format === undefined) return { text };
  // An object of the schema's shape, if there is a schema.
  const json = format.schema
    ? fillArguments(format.schema, values).arguments
    : { model: "toolgate-demo", answer: text };
  return { text: JSON.stringify(json) };
}

function chooseCall(
  { tools, choice, rounds, results }: DemoRequest,
  values: MessageValues,
): { name: string; arguments: object } | undefined {
  const callOf = (tool: DemoTool | undefined) =>
    tool && { name: tool.name, arguments: fillArguments(tool.parameters, values).arguments };
  const selected = rounds > 0 && results.every(({ selects, text }) => selects && !isRefused(text));
  if (choice === "none" || (rounds > 0 && !selected)) return undefined;
  const { tool: forced } = objectOf(choice);
  if (forced !== undefined) return selected ? undefined : callOf(tools.find(({ name }) => name === forced));
  const handshake = findHandshake(tools);
  const acting = tools.filter(({ name }) => name !== handshake?.name);
  const fitting = chooseTool(values, acting);
  if (fitting) return callOf(fitting);
  const { paths, urls, emails, quoted, code } = values;
  const named = [...paths, ...urls, ...emails, ...quoted, ...code];
  if (choice !== "required" && named.length === 0) return undefined;
  if (handshake && !selected) return { name: handshake.name, arguments: selectIntent(values, handshake) };
  const taking = acting.find(({ parameters }) => fillArguments(parameters, values).given > 0);
  return callOf(taking ?? (choice === "required" ? acting[0] : undefined));
}

const isRefused = (text: string): boolean => /^\s*tool_policy_blocked/.test(text);

/** Words that introduce the demo model, its offered tools, and the way to a real model. */
function describeItself(tools: readonly DemoTool[]): string {
  const names = tools.map(({ name }) => `\`${name}\``).join(", ") || "none";
  return `This is Toolgate's demo model: it matches words with tools by rules and understands nothing. The tools that it was \
offered in this step: ${names}. Ask for something that one of them does, or name it, and it is called. For real answers set \
UPSTREAM_BASE_URL to an OpenAI-compatible provider.`;
}

/** A result is quoted up to so many characters. */
const QUOTE = 240;

/** The handshake's own result holds nothing that was requested, unless it is a refusal. */
function reportResults(results: DemoRequest["results"]): string {
  const shown = results.filter(({ selects, text }) => !selects || isRefused(text));
  if (shown.length === 0)
    return "The demo model selected an intent, and none of the tools offered after it fits the message.";
  const lines = shown.map(({ tool, text }) => {
    const flat = text.replace(/\s+/g, " ").trim();
    return `called \`${tool}\`, which returned: ${flat.length > QUOTE ? `${flat.slice(0, QUOTE)}…` : flat || "nothing"}`;
  });
  if (lines.length === 1) return `The demo model ${lines[0]}`;
  return `The demo model called ${lines.length} tools:\n${lines.map((line) => `- it ${line}`).join("\n")}`;
}

/** JSON of `{ plan }`. Directives in the wish are followed: `demo: say TEXT` is the whole answer, each `demo: call` a step. */
function answerPlan({ system, wish }: Pick<DemoRequest, "system" | "wish">): string {
  const directed = readDirectives(wish);
  const text = directed.flatMap(({ say }) => say || []).join("\n");
  if (text !== "") return text;
  if (directed.length > 0) {
    const steps = directed.flatMap(({ calls }) => calls).map(dictatedStep);
    return `{"plan":[${steps.join(",")}]}`;
  }
  const tools = toolsIn(system);
  const steps = clausesOf(wish, tools).map((clause, index) => {
    const values = findValues(clause);
    const tool = chooseTool(values, tools);
    if (tool === undefined) return undefined;
    const { arguments: input } = fillArguments(tool.parameters, values, placeholder);
    return { id: `step_${index + 1}`, intent: clause, tool: tool.name, arguments: { input } };
  });
  return JSON.stringify({ plan: steps.filter((step) => step !== undefined) });
}

const dictatedStep = ({ name, arguments: input }: ScriptedCall, index: number): string =>
  `{"id":"step_${index + 1}","tool":${JSON.stringify(name)},"arguments":{"input":${input}}}`;

const placeholder = (name: string): string => `{{PLACEHOLDER_${name.replace(/\W/g, "_")}}}`;

/** `… and schedule …` asks for two things. A clause that fits no tool belongs to the one before: `John and Sarah`. */
function clausesOf(wish: string, tools: readonly DemoTool[]): readonly string[] {
  const clauses: string[] = [];
  for (const part of wish.trim().split(/[,;]?\s+(?:and then|and|then)\s+/i)) {
    const begins = clauses.length === 0 || chooseTool(findValues(part), tools) !== undefined;
    clauses.push(begins ? part : `${clauses.pop()} and ${part}`);
  }
  return clauses;
}

/** The planner's prompt has them one a line, under their heading. */
function toolsIn(system: string): readonly DemoTool[] {
  const lines = system.split("\n");
  const from = lines.indexOf(TOOLS_HEADING) + 1;
  if (from === 0) return [];
  return lines.slice(from, lines.indexOf("", from)).flatMap((line) => toolOf(JSON.parse(line)));
}

/** A word of the name counts this much, a word of the description's first sentence 1, an argument's value 1. From `FITS` on a tool fits. */
const [NAME_WORD, FITS] = [2, 2];

/** The tool that fits best, the first of equals; undefined if none fits. */
function chooseTool(values: MessageValues, tools: readonly DemoTool[]): DemoTool | undefined {
  const scores = tools.map((tool) => scoreOf(values, tool));
  const best = Math.max(0, ...scores);
  return best >= FITS ? tools[scores.indexOf(best)] : undefined;
}

function scoreOf(values: MessageValues, { name, description, parameters }: DemoTool): number {
  const own = stems(name);
  const described = stems(description.split(/[.:]\s/, 1)[0] ?? "");
  const shared = [...values.words].map((word) => (own.has(word) ? NAME_WORD : described.has(word) ? 1 : 0));
  const words = shared.reduce<number>((sum, points) => sum + points, 0);
  return words === 0 ? 0 : words + fillArguments(parameters, values).given;
}

/** The gateway's handshake tool is known by its shape: it takes `intent`, or a list `intents`, out of named ones. */
const findHandshake = (tools: readonly DemoTool[]): DemoTool | undefined =>
  tools.find((tool) => intentsOf(tool).length > 0);

function intentsOf({ parameters }: DemoTool): readonly string[] {
  const { intent, intents } = objectOf(objectOf(parameters).properties);
  const named = objectOf(objectOf(intents).items).enum ?? objectOf(intent).enum;
  return Array.isArray(named) ? named : [];
}

/** Selects the intent whose name and line in the description share most words with the message; else the first. */
function selectIntent({ words }: MessageValues, handshake: DemoTool): object {
  const intents = intentsOf(handshake);
  const lines = handshake.description.split("\n");
  const scores = intents.map((name) => {
    const line = lines.find((one) => one.replace(/^[\s\-*]*/, "").startsWith(`${name}:`)) ?? "";
    const own = stems(`${name} ${line}`);
    return [...words].filter((word) => own.has(word)).length;
  });
  const chosen = intents[scores.indexOf(Math.max(...scores))];
  return "intents" in objectOf(objectOf(handshake.parameters).properties) ? { intents: [chosen] } : { intent: chosen };
}
