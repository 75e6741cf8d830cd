/** The calls of a reply as a client reads them that parses JSON in its own way. */
import { itemsOf, type Json, type JsonReader, memberOf, parseJson, plainOf, scalarOf } from "./json-readers.ts";

export interface ReadCall {
  readonly id: unknown;
  readonly type: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/** @param texts the data of each event of a stream, or one body. */
export function readCalls(reader: JsonReader, texts: readonly string[]): readonly ReadCall[] {
  const open = new Map<unknown, { id: unknown; type: unknown; name: unknown; arguments: string }>();
  for (const [place, fragment] of texts.flatMap((text) => fragmentsOf(reader, parseJson(text)))) {
    const called = memberOf(reader, fragment, "function") ?? fragment;
    const call = open.get(place) ?? { id: undefined, type: undefined, name: undefined, arguments: "" };
    call.id = scalarOf(memberOf(reader, fragment, "id")) ?? call.id;
    call.type = scalarOf(memberOf(reader, fragment, "type")) ?? call.type;
    call.name = scalarOf(memberOf(reader, called, "name")) ?? call.name;
    call.arguments += String(scalarOf(memberOf(reader, called, "arguments")) ?? "");
    open.set(place, call);
  }
  return [...open.values()].map((call) => ({ ...call, arguments: plainOf(reader, parseJson(call.arguments || "{}")) }));
}

/** Fragments with the place that they are put together by; `function_call` is a call of its own. */
function fragmentsOf(reader: JsonReader, text: Json): (readonly [place: unknown, fragment: Json])[] {
  const choices = itemsOf(memberOf(reader, text, "choices"));
  const said = choices.flatMap((choice) => [memberOf(reader, choice, "delta"), memberOf(reader, choice, "message")]);
  return said.flatMap((words) => {
    const calls = itemsOf(memberOf(reader, words, "tool_calls"));
    const placed = calls.map((call, at) => [scalarOf(memberOf(reader, call, "index")) ?? at, call] as const);
    const legacy = memberOf(reader, words, "function_call");
    return legacy?.kind === "object" ? [...placed, ["function_call", legacy] as const] : placed;
  });
}
