/**
 * The model of the table: no language model, but a script that decides from the messages and the tools it is sent, by the same
 * rules for every column, so that what differs between columns is what stands around it. Pure.
 *
 * 1 What the user wants is read by `wishes.ts`. Where the tool's required words are missing, it asks for them.
 * 2 In some requests it slips: it makes the wrong call first, once, whatever it was sent (`slipOf`).
 * 3 It calls the tools it wants, of those it was sent; where there are none and an intent can be selected, that.
 * 4 A slip that was refused it mends; a call that was refused otherwise it does not try again.
 * 5 With results, or nothing to call, it answers in words: the titles that the results hold, or that it may not.
 */
import { type Slip, slipOf, type Wish, wishesOf } from "./wishes.ts";

interface ModelCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ModelMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ModelCall[];
  readonly tool_call_id?: string;
}

interface ModelTool {
  readonly function: {
    readonly name: string;
    readonly parameters?: {
      readonly properties?: { readonly intents?: { readonly items?: { readonly enum?: readonly string[] } } };
    };
  };
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ModelTool[];
  readonly stream?: boolean;
}

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly Slip[];
}

const HANDSHAKE = "select_intent";

export function answerOf({ messages, tools = [] }: ModelRequest): ModelAnswer {
  const said = messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
  const since = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
  const made = since.flatMap((message) => message.tool_calls ?? []);
  const results = since.filter(({ role }) => role === "tool").map(({ content }) => String(content));
  const wishes = wishesOf(said);
  const lacking = wishes.find(({ lacks }) => lacks !== undefined);
  if (lacking && made.length === 0) return words(`Which ${lacking.lacks} should it be about?`);
  const slip = slipOf(said, wishes);
  if (slip && made.length === 0) return { text: "", calls: [slip] };
  if (slip && !isRefused(results[0] ?? "")) return wordsOf(results);
  const mended = slip && made.length === 1 && results.length === 1;
  const left = wishes.filter((wish) => !made.some((call) => isOf(call, wish, mended ? slip : undefined)));
  return nextCalls(left, tools, made) ?? wordsOf(results, left.length > 0);
}

function nextCalls(
  left: readonly Wish[],
  tools: readonly ModelTool[],
  made: readonly ModelCall[],
): ModelAnswer | undefined {
  const sent = new Set(tools.map((tool) => tool.function.name));
  const callable = left.filter(({ tool }) => sent.has(tool));
  if (callable.length > 0) return { text: "", calls: callable };
  const [wish] = left;
  const intents = tools.find((tool) => tool.function.name === HANDSHAKE)?.function.parameters?.properties?.intents
    ?.items?.enum;
  const selected = made.some((call) => call.function.name === HANDSHAKE);
  if (!wish || selected || !intents?.includes(wish.intent)) return undefined;
  return { text: "", calls: [{ tool: HANDSHAKE, arguments: { intents: [wish.intent] } }] };
}

/** Whether the wish was called; the slip in its place does not count where it may still be mended. */
const isOf = (call: ModelCall, wish: Wish, slip: Slip | undefined): boolean =>
  call.function.name === wish.tool && call.function.arguments !== (slip && JSON.stringify(slip.arguments));

const isRefused = (result: string): boolean => /^tool_policy_blocked|^error/i.test(result);

const titleOf = (result: string): string => /"title":\s*"([^"]+)"/.exec(result)?.[1] ?? "what you asked for";

function wordsOf(results: readonly string[], unmet = false): ModelAnswer {
  const [result, ...others] = results.filter((one) => !isRefused(one) && one.includes('"title"'));
  if (result !== undefined) {
    const titles = [result, ...others].map(titleOf).join(" and ");
    return words(`Here you are: ${titles}. Take your time with it, and tell me when you want to go on.`);
  }
  if (unmet || results.length > 0)
    return words("I am sorry, I cannot do that for you here. Shall we try something else?");
  return words("Gladly. Let us take it step by step: read it aloud once, then tell me what you would say yourself.");
}

const words = (text: string): ModelAnswer => ({ text, calls: [] });
