/**
 * Pure functions of the gateway, each behind a path of its own: those whose input comes from a server that the gateway calls, or
 * from deeper in than a request of a client reaches at once.
 */
import { closeMarkup } from "../../../src/approvals/disclosure/close-markup.ts";
import { grantCovers } from "../../../src/approvals/grant-terms.ts";
import { parseStrictJson } from "../../../src/lib/json/strict-json.ts";
import { bounded, searchExpressions } from "../../../src/lib/text/search-words.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { readPlan } from "../../../src/plan/read-plan.ts";
import { validatePlan } from "../../../src/plan/validate.ts";
import { readSources } from "../../../src/tools/builtin/bibliography.ts";
import { selectJson } from "../../../src/tools/http/read-answer.ts";
import { readDefinitions } from "../../../src/tools/mcp/read-definitions.ts";
import { resultText } from "../../../src/tools/mcp/result-text.ts";
import { readDnsAnswer } from "../../../src/tools/reach/resolver.ts";
import { succeeded } from "../../../src/tools/run.ts";
import { runText } from "../../../src/tools/run-text.ts";

// biome-ignore lint/suspicious/noExplicitAny: each check reads what the bench itself wrote for it
type Input = any;

const checks: Readonly<Record<string, (input: Input) => unknown>> = {
  "mcp-list": (tools) => readDefinitions("server", tools, []).leftOut[0]?.reason ?? "read",
  "mcp-result": (result) => resultText(result).length,
  "json-path": ({ value, path }) => selectJson(JSON.stringify(value), path),
  "tool-result": (content) => runText(succeeded(content), { trusted: false, maxChars: 400_000 }).suspicious,
  plan({ text, tools }) {
    const work = workBudget();
    const known = new Map((tools as { name: string }[]).map((tool) => [tool.name, tool])) as never;
    const read = readPlan(text, { maxSteps: 64, tools: known, work });
    const valid = read.ok ? validatePlan(read.value, known, work) : read;
    return valid.ok ? "valid" : valid.error;
  },
  grants({ grants, args }) {
    const call = { args, work: workBudget(), texts: new Map() };
    return (grants as { arguments: never }[]).filter((grant) => grantCovers(grant, call)).length;
  },
  markup: (text) => closeMarkup(text).length,
  "strict-json": (text) => parseStrictJson(text).ok,
  dns: (bytes) => readDnsAnswer(Uint8Array.from(bytes), "a.example", "A")?.addresses.length,
  search: (text) => [bounded(text)?.length, searchExpressions(text)?.all.length],
  sources: (list) => "issues" in readSources(list),
};

export default {
  async fetch(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1);
    if (name === "health") return new Response("ok");
    const body: unknown = JSON.parse(await request.text());
    try {
      return Response.json({ result: (await checks[name]?.(body)) ?? null });
    } catch (error) {
      return Response.json({ error: String(error) });
    }
  },
};
