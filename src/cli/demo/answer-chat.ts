/**
 * What the demo model answers: a few rules, so that the gateway can be tried without a provider. Pure.
 *
 *  1. a plan where one is asked for (`answer-plan.ts`)
 *  2. directives in the message are followed to the letter (`directives.ts`)
 *  3. once tools were called for the message: what they returned
 *  4. the offered tool that shares words with the message is called, with arguments from its schema and the message
 *  5. where none does and the message names a thing (a path, an address, a quoted text): the gateway's handshake tool,
 *     and after it the first tool that takes such a thing
 *  6. else words, which say that this is the demo model
 */
import { PLAN_FORMAT } from "../../plan/plan-format.ts";
import type { ModelAnswer } from "../write-answer.ts";
import { answerPlan } from "./answer-plan.ts";
import { type DemoRequest, readRequest } from "./chat-request.ts";
import { chooseTool, type DemoTool, findHandshake, selectIntent } from "./choose-tool.ts";
import { readDirectives } from "./directives.ts";
import { fillArguments, objectOf } from "./fill-arguments.ts";
import { findValues, type MessageValues } from "./message-values.ts";

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
  // An object of the schema's shape, where there is one.
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

/** Who it is, what it was offered, and how to get a real model. */
function describeItself(tools: readonly DemoTool[]): string {
  const names = tools.map(({ name }) => `\`${name}\``).join(", ") || "none";
  return `This is Toolgate's demo model: it matches words with tools by rules and understands nothing. The tools that it was \
offered in this step: ${names}. Ask for something that one of them does, or name it, and it is called. For real answers set \
UPSTREAM_BASE_URL to an OpenAI-compatible provider.`;
}

/** A result is quoted up to so many characters. */
const QUOTE = 240;

/** The handshake's own result tells nothing that was asked for, unless it is a refusal. */
function reportResults(results: DemoRequest["results"]): string {
  const told = results.filter(({ selects, text }) => !selects || isRefused(text));
  if (told.length === 0)
    return "The demo model selected an intent, and none of the tools offered after it fits the message.";
  const lines = told.map(({ tool, text }) => {
    const flat = text.replace(/\s+/g, " ").trim();
    return `called \`${tool}\`, which returned: ${flat.length > QUOTE ? `${flat.slice(0, QUOTE)}…` : flat || "nothing"}`;
  });
  if (lines.length === 1) return `The demo model ${lines[0]}`;
  return `The demo model called ${lines.length} tools:\n${lines.map((line) => `- it ${line}`).join("\n")}`;
}
