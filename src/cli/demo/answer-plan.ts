/** The plan that the demo model makes: for each clause of the wish the tool that fits. Pure. */
import { TOOLS_HEADING } from "../../plan/planner-prompt.ts";
import type { ScriptedCall } from "../write-answer.ts";
import { type DemoRequest, toolOf } from "./chat-request.ts";
import { chooseTool, type DemoTool } from "./choose-tool.ts";
import { readDirectives } from "./directives.ts";
import { fillArguments } from "./fill-arguments.ts";
import { findValues } from "./message-values.ts";

/** JSON of `{ plan }`. What the wish dictates is followed: `demo: say TEXT` is the whole answer, each `demo: call` a step. */
export function answerPlan({ system, wish }: Pick<DemoRequest, "system" | "wish">): string {
  const directed = readDirectives(wish);
  const said = directed.flatMap(({ say }) => say || []).join("\n");
  if (said !== "") return said;
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

/** `… and schedule …` asks for two things. What fits no tool of its own belongs to the clause before: `John and Sarah`. */
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
