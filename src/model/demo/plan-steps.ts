/**
 * The plan that the demo model makes where it is asked for one: for each clause of the wish the tool that fits, with what the
 * clause says; what is required and not said is a placeholder, and somebody's address comes from a step that looks it up. Pure.
 *
 * As elsewhere, what the message dictates is followed to the letter: `demo: say TEXT` is the whole answer, and each
 * `demo: call NAME {json}` a step.
 */
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { TOOLS_HEADING } from "../../plan/planner-prompt.ts";
import { chooseTool, findMentions } from "./choose-tool.ts";
import { readDirectives } from "./directives.ts";
import type { WantedPerson } from "./find-recipient.ts";
import { type DemoStep, lookUp } from "./look-up-person.ts";
import { planArguments } from "./plan-arguments.ts";
import { splitSteps } from "./split-message.ts";
import { type DemoTool, object } from "./tool-schema.ts";
import { readWords, splitWords } from "./words.ts";

/** So much of a wish is read. */
const READ = 4_000;

/** @returns the answer's text: JSON of `{ plan }`, unless the message dictates another. */
export function planSteps(prompt: LanguageModelV4Prompt): string {
  const wish = wishOf(prompt);
  const directed = readDirectives(wish);
  const said = directed.map(({ say }) => say).join("\n");
  if (said.trim() !== "") return said;
  const tools = toolsIn(prompt);
  if (directed.length > 0) return dictated(directed.flatMap(({ calls }) => calls));
  const steps: DemoStep[] = [];
  for (const clause of clausesOf(wish.slice(0, READ).replace(/\s{100,}/g, " "), tools))
    steps.push(...stepsFor(clause, tools, steps));
  return JSON.stringify({ plan: steps });
}

function dictated(calls: readonly { readonly tool: string; readonly arguments: string }[]): string {
  const steps = calls.map(
    ({ tool, arguments: input }, index) =>
      `{"id":"step_${index + 1}","tool":${JSON.stringify(tool)},"arguments":{"input":${input}}}`,
  );
  return `{"plan":[${steps.join(",")}]}`;
}

/** The first message: what follows it is what the gateway says of a plan. */
function wishOf(prompt: LanguageModelV4Prompt): string {
  const user = prompt.find((message) => message.role === "user");
  return user?.role === "user" ? user.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") : "";
}

/** One a line, under their heading. */
function toolsIn(prompt: LanguageModelV4Prompt): readonly DemoTool[] {
  const [system] = prompt;
  const lines = system?.role === "system" ? system.content.split("\n") : [];
  const from = lines.indexOf(TOOLS_HEADING) + 1;
  const listed = from > 0 ? lines.slice(from, lines.indexOf("", from)) : [];
  return listed.flatMap((line) => {
    const { name, description, parameters } = object(jsonOf(line));
    return typeof name === "string" ? [{ name, description: String(description ?? ""), schema: parameters }] : [];
  });
}

/** Undefined for what is none: whoever asks in the gateway's format need not be the gateway. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** `… and schedule …` asks for two things, `… John and Sarah` for one. */
function clausesOf(wish: string, tools: readonly DemoTool[]): readonly string[] {
  return splitSteps(wish, tools).flatMap((step) => {
    const parts = step.split(/[,;]?\s+and\s+(?:also\s+)?|[.;!?]\s+/i);
    const clauses: string[] = [];
    for (const part of parts) {
      const [verb = ""] = splitWords(part);
      const begins = clauses.length === 0 || readWords(verb).actions.length > 0;
      clauses.push(begins ? part : `${clauses.pop()} and ${part}`);
    }
    return clauses;
  });
}

/** Less than a call takes: a person sees a plan before it runs. */
const FIT = 3;

const LOOKS: ReadonlySet<string> = new Set(["read", "list", "search", "fetch"]);

/** Whoever asks for a look is not served by a change. */
function fitFor(clause: string, tools: readonly DemoTool[]): readonly DemoTool[] {
  const [wanted] = readWords(clause).actions;
  if (wanted === undefined || !LOOKS.has(wanted)) return tools;
  return tools.filter(({ name }) =>
    readWords(name)
      .actions.slice(0, 1)
      .every((does) => LOOKS.has(does)),
  );
}

const MEETING = /\b(?:meeting|appointment|follow-?up|call with|lunch|dinner)\b/i;

function stepsFor(clause: string, tools: readonly DemoTool[], before: readonly DemoStep[]): readonly DemoStep[] {
  // Tools for meetings are called after calendars and events.
  const meant = MEETING.test(clause) ? `${clause} calendar event` : clause;
  const tool = findMentions(clause, tools)[0]?.tool ?? chooseTool(meant, fitFor(clause, tools), FIT);
  if (tool === undefined) return [];
  const taken = new Set(before.map(({ id }) => id));
  const looked: DemoStep[] = [];
  const find = (person: WantedPerson): string | undefined => {
    const known = before.find(({ id }) => id === person.step)?.id;
    const step = known === undefined ? lookUp(person, tool, tools) : undefined;
    if (step && !looked.some(({ id }) => id === step.id)) looked.push(step);
    const from = known ?? step?.id;
    return from && `{{${from}.result.data[0].email}}`;
  };
  const input = planArguments(tool, clause, find);
  const id = freeId(tool.name, new Set([...taken, ...looked.map((step) => step.id)]));
  const intent = clause.trim().replace(/[\s.!?]+$/, "");
  return [
    ...looked,
    { id, intent: intent.charAt(0).toUpperCase() + intent.slice(1), tool: tool.name, arguments: { input } },
  ];
}

function freeId(tool: string, taken: ReadonlySet<string>): string {
  const id = tool.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 56);
  for (let count = 1; ; count += 1) {
    const next = count === 1 ? id : `${id}_${count}`;
    if (!taken.has(next)) return next;
  }
}
