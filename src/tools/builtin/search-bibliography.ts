import * as z from "zod";
import { once } from "../../lib/once.ts";
import type { BibliographyPort } from "./bibliography-port.ts";
import { done, limitOf, limitSchema, objectSchema, readArguments, reading, type ToolOn } from "./builtin-tool.ts";
import { citation } from "./csl-source.ts";

const read = once(() => z.object({ query: z.string({ error: "`query` must be text" }), limit: limitOf() }));

export const searchBibliography: ToolOn<BibliographyPort> = {
  description: "Search the research bibliography for sources",
  parameters: objectSchema({ query: { type: "string", maxLength: 1_000 }, limit: limitSchema }, "query"),
  async run({ principal, arguments: args }, bibliography) {
    const asked = readArguments(read(), args);
    if (!asked.ok) return asked.error;
    const { query, limit } = asked.value;
    return reading(async () => {
      const found = await bibliography.search(principal, query, limit);
      const sources = found.sources.map(({ csl, snippet, scope }) => ({ ...citation(csl, snippet), scope }));
      return done({
        sources,
        count: sources.length,
        ...(found.more ? { more: true } : {}),
        ...(found.matched === "some" ? { matched: "some of the words; no source has all" } : {}),
      });
    });
  },
};
