/** A step's input against its tool's schema as far as it is known: places that something must still come into are open. Pure. */
import type { WorkBudget } from "../lib/work-budget.ts";
import { compileSchema } from "../policy/arguments/argument-schema.ts";
import type { ArgumentIssue } from "../policy/reasons.ts";
import { mapTexts } from "./map-texts.ts";
import { soleUse } from "./places.ts";
import { type Relaxing, relaxedSchema } from "./relaxed-schema.ts";
import { isOpen, readTemplate } from "./template.ts";

/**
 * No issue: there are values for the open places with which it may be right, as far as can be told. That they are there
 * satisfies `required`. What is told here would be wrong whatever comes.
 * @param parameters JSON Schema; undefined: any object.
 * Throws `WorkSpent`.
 */
export function templateIssues(parameters: unknown, input: unknown, work: WorkBudget): readonly ArgumentIssue[] {
  if (parameters === undefined || parameters === null) return [];
  const schema = compileSchema(parameters, work);
  if (!schema.ok) return [{ path: "", message: schema.error }];
  const open = openIn(input);
  if (!open.whole && !open.within) return schema.value.validate(input, work);
  for (const relaxing of readings(open)) {
    const relaxed = compileSchema(relaxedSchema(parameters, relaxing, work), work);
    // What cannot be judged now is when the step runs.
    if (!relaxed.ok) continue;
    const issues = relaxed.value.validate(standIn(input, relaxing), work);
    if (issues.length > 0) return worded(issues, schema.value.validate(input, work));
  }
  return [];
}

interface Open {
  readonly whole: boolean;
  readonly within: boolean;
  readonly hasNull: boolean;
}

function openIn(input: unknown): Open {
  let [whole, within] = [false, false];
  mapTexts(input, (text) => {
    const kind = openness(text);
    whole ||= kind === "whole";
    within ||= kind === "within";
    return text;
  });
  return { whole, within, hasNull: JSON.stringify(input).includes("null") };
}

/** Each is too lenient in another way, so all of them must find nothing. */
function readings({ within, hasNull }: Open): readonly Relaxing[] {
  return [
    { admit: "null", anyText: false },
    // A null that was meant as one is judged where the open places are booleans.
    ...(hasNull ? [{ admit: "boolean", anyText: false } as const] : []),
    // A text with something in it will be a text.
    ...(within ? [{ admit: "null", anyText: true } as const] : []),
  ];
}

function standIn(input: unknown, { admit, anyText }: Relaxing): unknown {
  const open = admit === "null" ? null : true;
  return mapTexts(input, (text) => {
    const kind = openness(text);
    if (kind === undefined) return text;
    return kind === "within" && anyText ? "" : open;
  });
}

function openness(text: string): "whole" | "within" | undefined {
  if (!text.includes("{{")) return undefined;
  const parts = readTemplate(text);
  if (!isOpen(parts)) return undefined;
  return soleUse({ parts }) ? "whole" : "within";
}

/** In the words of the schema itself, where it says something of the same place. */
function worded(issues: readonly ArgumentIssue[], own: readonly ArgumentIssue[]): readonly ArgumentIssue[] {
  return issues.map((issue) => own.find(({ path }) => path === issue.path) ?? issue);
}
