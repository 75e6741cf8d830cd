/** Tools of many domains, labelled by hand before the code was written: `test/fixtures/labelled-tools`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolWords } from "../../../src/policy/infer/evidence.ts";
import type { Category } from "../../../src/policy/selectors.ts";

export interface LabelledTool extends ToolWords {
  readonly category: Category;
  readonly effect: string;
  /** `own`, `fields`, `directory` or `others`; empty where the tool is no reader. */
  readonly origin: string;
}

/** One tool a line: name | description | arguments | category | effect | origin. */
export function labelledTools(file: "open" | "last-look"): readonly LabelledTool[] {
  const path = join(import.meta.dirname, `../../fixtures/labelled-tools/${file}.txt`);
  const text = readFileSync(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = "", description = "", args = "", category = "", effect = "", origin = ""] = line
        .split("|")
        .map((part) => part.trim());
      return { name, description, parameters: schemaOf(args), category: category as Category, effect, origin };
    });
}

function schemaOf(args: string): unknown {
  const named = args.split(",").map((one) => one.trim().split(/\s*:\s*/));
  const properties = named
    .filter(([name]) => name !== "")
    .map(([name = "", description]) => [name, { type: "string", description }]);
  return { type: "object", properties: Object.fromEntries(properties) };
}
