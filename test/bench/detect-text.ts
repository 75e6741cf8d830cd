/**
 * How long it takes to find intents by words: `npm run bench:detect`. Policies: the study agent's, and one of a thousand
 * intents with ten keywords each and fifty patterns. Texts: a short message, and 100 KB of several kinds. Inside a Worker the clock
 * stands still, so this runs in node.
 */
import { readFileSync } from "node:fs";
import { programArguments } from "../../src/cli/program-arguments.ts";
import { compileLexical, findLexical } from "../../src/intent/lexical/lexical.ts";
import { workBudget } from "../../src/lib/work-budget.ts";
import type { CompiledPolicy } from "../../src/policy/compile.ts";
import { policyOf } from "../support/policy.ts";
import { quantile } from "./report/statistics.ts";

programArguments("npm run bench:detect", {});

const goalMs = 5;
const size = 100_000;
const fill = (part: string) => part.repeat(Math.ceil(size / part.length)).slice(0, size);

function compiled(document: unknown): CompiledPolicy {
  return policyOf(document);
}

function thousandIntents(): unknown {
  const syllables = ["ka", "to", "mi", "ren", "sol", "ba", "vu", "pex", "dor", "lin", "qua", "zet"];
  const word = (number: number) =>
    [number, number / 12, number / 144].map((digit) => syllables[Math.floor(digit) % 12]).join("");
  const intents = Array.from({ length: 1_000 }, (_, number) => {
    const keywords = Array.from({ length: 10 }, (_, index) => `${word(number * 7 + index)}${number} ${word(index)}`);
    return { keywords, patterns: number < 50 ? [`(make|create)\\s+(me\\s+)?(some\\s+)?${word(number)}s?`] : [] };
  });
  return { intents: Object.fromEntries(intents.map((intent, number) => [`I${number}`, intent])) };
}

const texts: Readonly<Record<string, string>> = {
  "a short message": "Can you make me some flashcards about N4 grammar?",
  "100 KB of prose": fill("The quick brown fox jumps over the lazy dog, and tomorrow we will see what happens. "),
  "100 KB of Japanese": fill("日本語の文法を説明してください。quizは作らないで。"),
  "100 KB of requests": fill("make me a quiz and explain the grammar test of my progress, talk flashcards for me. "),
  "100 KB of refusals": fill("do not make me a quiz, no test. "),
  "100 KB of one letter": fill("a"),
  "100 KB of `make some`": fill("make me some katoka and create mitoka. "),
};

function timed(run: () => void, times: number): { first: number; median: number; p99: number } {
  const took = Array.from({ length: times }, () => {
    const before = performance.now();
    run();
    return performance.now() - before;
  });
  return { first: took[0] ?? 0, median: quantile(took, 0.5), p99: quantile(took, 0.99) };
}

const show = (ms: number) => (ms < 1 ? `${(ms * 1_000).toFixed(0)} µs` : `${ms.toFixed(1)} ms`).padStart(8);
const policies = {
  "study-agent": compiled(
    JSON.parse(readFileSync(new URL("../../policies/study-agent.json", import.meta.url), "utf8")),
  ),
  "1,000 intents": compiled(thousandIntents()),
};
let missed = false;
for (const [name, policy] of Object.entries(policies)) {
  const compile = timed(() => compileLexical(policy), 10);
  console.log(`${name}: compiled in ${show(compile.median)}, the first time ${show(compile.first)}`);
  const lexical = compileLexical(policy);
  for (const [kind, text] of Object.entries(texts)) {
    const { first, median, p99 } = timed(() => findLexical(lexical, text, workBudget()), 200);
    if (median > goalMs) missed = true;
    console.log(`  ${kind.padEnd(24)} p50 ${show(median)}  p99 ${show(p99)}  first ${show(first)}`);
  }
}
if (missed) {
  console.error(`missed: detection of 100 KB within ${goalMs} ms`);
  process.exitCode = 1;
}
