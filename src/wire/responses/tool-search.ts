/**
 * The search for tools that the client runs itself: it has more tools than it sends, and its model calls this one to get some of them.
 * Inside it is a function like any other; the tools that it finds belong to the conversation from then on. Pure.
 */
import { isObject, type JsonObject, listIn } from "../../lib/json/json-value.ts";

/** Its type, and its name inside, by which policies know it. */
export const SEARCH = "tool_search";

export const isClientSearch = ({ execution }: JsonObject): boolean => execution === "client";

/** In the chat's form. */
export const searchTool = ({ description, parameters }: JsonObject): JsonObject => ({
  type: "function",
  function: {
    name: SEARCH,
    ...(typeof description === "string" ? { description } : {}),
    ...(isObject(parameters) ? { parameters } : {}),
  },
});

/** @param item a `tool_search_call`. */
export const searchArguments = ({ arguments: args }: JsonObject): string | undefined =>
  isObject(args) ? JSON.stringify(args) : typeof args === "string" ? args : undefined;

/** @param args of a call that was vetted. */
export const searchCall = (id: string, callId: string, args: string): JsonObject => ({
  id,
  type: "tool_search_call",
  status: "completed",
  call_id: callId,
  execution: "client",
  arguments: JSON.parse(args),
});

/** The result for the model: it gets the tools themselves with its next call. @param nameInside by namespace and name. */
export function searchResult({ tools }: JsonObject, nameInside: (namespace: unknown, name: string) => string): string {
  const found = listIn(tools).flatMap((tool): readonly string[] => {
    if (!isObject(tool)) return [];
    if (tool.type !== "namespace") return [nameInside(undefined, String(tool.name ?? tool.type))];
    return listIn(tool.tools).flatMap((one) => (isObject(one) ? [nameInside(tool.name, String(one.name))] : []));
  });
  return JSON.stringify({ tools: found });
}
