/**
 * What the demo model answers: calls that fit the message, or words. Pure: no clock, no chance, no I/O.
 * Where it is asked for a plan, that (`plan-steps.ts`).
 *
 *  1. directives in the message (`directives.ts`) are followed to the letter
 *  2. no tools, or `tool_choice` none: words
 *  3. the gateway's handshake first, where it is all there is or nothing else fits
 *  4. tools named in the message, or the one that fits it best; "first … then …" one step after the other
 *  5. once results are there: what they say. No tool is called in two rounds for one message
 */
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, LanguageModelV4ToolChoice } from "@ai-sdk/provider";
import { PLAN_FORMAT } from "../../plan/planner-prompt.ts";
import { answer, answerJson, reportResults } from "./answer.ts";
import { chooseTool, findMentions, findReader, namesAbsentTool } from "./choose-tool.ts";
import { type DirectedCall, readDirectives } from "./directives.ts";
import { fillArguments } from "./fill-arguments.ts";
import { lacksReplacement } from "./find-replacement.ts";
import { chooseIntent, findHandshake } from "./handshake.ts";
import { planSteps } from "./plan-steps.ts";
import { type DemoTurn, readTurn } from "./read-turn.ts";
import { fanOut, splitParallel, splitSteps } from "./split-message.ts";
import { type DemoTool, object } from "./tool-schema.ts";
import { isPlainChat, readTask } from "./words.ts";

export interface DemoPlan {
  readonly text?: string;
  readonly calls: readonly DirectedCall[];
}

/** So much of a message is read for what fits; directives are read to the end. */
const READ = 4_000;

/** @param format where it asks for JSON, the words are JSON too, of its schema's shape. */
export function planDemoTurn(
  prompt: LanguageModelV4Prompt,
  tools: readonly DemoTool[],
  toolChoice: LanguageModelV4ToolChoice = { type: "auto" },
  format?: LanguageModelV4CallOptions["responseFormat"],
): DemoPlan {
  if (format?.type === "json" && format.name === PLAN_FORMAT) return { calls: [], text: planSteps(prompt) };
  const whole = readTurn(prompt);
  const directed = readDirectives(whole.message);
  const turn = { ...whole, message: whole.message.slice(0, READ).replace(/\s{100,}/g, " ") };
  const step = directed[turn.rounds.length];
  if (step) return { calls: step.calls, ...(step.say === "" ? {} : { text: step.say }) };
  const calls = toolChoice.type === "none" || directed.length > 0 ? [] : chooseCalls(turn, tools, toolChoice);
  if (calls.length > 0) return { calls };
  const reports = turn.results.length > 0 ? turn.results : turn.untold;
  const text = reports.length > 0 ? reportResults(reports, tools) : answer(tools);
  return { calls, text: format?.type === "json" ? answerJson(format.schema, turn.message, text) : text };
}

function chooseCalls(
  turn: DemoTurn,
  tools: readonly DemoTool[],
  choice: LanguageModelV4ToolChoice,
): readonly DirectedCall[] {
  const { message } = turn;
  const called = new Set(turn.rounds.flat());
  const free = tools.filter(({ name }) => !called.has(name));
  if (choice.type === "tool")
    return free.filter(({ name }) => name === choice.toolName).map((tool) => call(tool, message));
  if (turn.latest.some(({ failed }) => failed)) return [];
  const handshake = findHandshake(tools);
  const acting = free.filter(({ name }) => name !== handshake?.tool);
  const fitting = chooseActing(turn, acting, handshake?.tool);
  if (fitting.length > 0) return fitting;
  const mayAct = turn.rounds.flat().every((name) => name === handshake?.tool);
  if (handshake && mayAct && !called.has(handshake.tool)) {
    const asked = !isPlainChat(message) && (acting.length === 0 || readTask(message).actions.length > 0);
    const must = choice.type === "required" && acting.length === 0;
    const intent = isPlainChat(message) && !must ? undefined : chooseIntent(handshake, message, asked || must);
    if (intent !== undefined) return [intentCall(tools, handshake.tool, intent, message)];
  }
  if (choice.type !== "required" || !mayAct) return [];
  const forced = chooseTool(message, acting, Number.NEGATIVE_INFINITY);
  return forced ? [call(forced, message)] : [];
}

/** The calls of the step that is due, the handshake aside. */
function chooseActing(turn: DemoTurn, tools: readonly DemoTool[], handshake?: string): readonly DirectedCall[] {
  const { message } = turn;
  const steps = splitSteps(message, tools);
  const done = turn.rounds.filter((round) => round.some((name) => name !== handshake)).length;
  const text = steps[done];
  if (text === undefined || isPlainChat(text)) return [];
  const sources = { context: message, known: knownValues(turn) };
  const mentions = findMentions(text, tools);
  if (mentions.length > 0) {
    return splitParallel(text, mentions).map(({ tool, text }) => call(tool, text, sources));
  }
  if (namesAbsentTool(text, tools)) return [];
  const fitting = chooseTool(text, tools);
  const tool = fitting && lacksReplacement(fitting, text) ? findReader(text, tools) : fitting;
  return tool ? fanOut(text, tool).map((part) => call(tool, part, sources)) : [];
}

function call(tool: DemoTool, text: string, sources: object = {}): DirectedCall {
  return {
    tool: tool.name,
    arguments: JSON.stringify(fillArguments(tool.schema, { ...sources, tool: tool.name, text })),
  };
}

function intentCall(tools: readonly DemoTool[], name: string, intent: string, message: string): DirectedCall {
  const schema = tools.find((tool) => tool.name === name)?.schema;
  return { tool: name, arguments: JSON.stringify({ ...fillArguments(schema, { text: message }), intent }) };
}

/** The fields of results so far, a list's first element for the list; the latest of a name. */
function knownValues({ results }: DemoTurn): ReadonlyMap<string, unknown> {
  const fields = results.flatMap(({ value }) => {
    const lists = Object.values(object(value)).filter(Array.isArray);
    const first = [value].flat()[0];
    return [...lists.map((list) => list[0]), first].flatMap((item) => Object.entries(object(item)));
  });
  return new Map(fields.filter(([, value]) => typeof value === "string" || typeof value === "number"));
}
