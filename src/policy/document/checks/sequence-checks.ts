/** A tool that waits for itself could never be called. Pure. */
import type { PolicyDocument } from "../document-schema.ts";
import type { Findings } from "../policy-issue.ts";

export function* checkSequences({ tools }: PolicyDocument): Findings {
  for (const [key, { after = [] }] of Object.entries(tools))
    for (const [index, name] of after.entries()) {
      const isCircle = name === key || waitsFor(tools, name, key);
      const fault = `\`${name}\` waits for \`${key}\` itself, so neither could ever be called: remove one of the two`;
      yield [["tools", key, "after", index], isCircle && fault];
    }
}

/** By names alone: a selector is met by any of its tools. */
function waitsFor(tools: PolicyDocument["tools"], from: string, target: string): boolean {
  const seen = new Set<string>();
  const queue = [from];
  for (const name of queue) {
    if (seen.has(name)) continue;
    seen.add(name);
    const after = (Object.hasOwn(tools, name) && tools[name]?.after) || [];
    if (after.includes(target)) return true;
    queue.push(...after);
  }
  return false;
}
