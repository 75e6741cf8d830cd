/** OpenAI's routes by which a model would run tools that nobody has vetted. They are refused, whatever the upstream could do. Pure. */
import type { Problem } from "./problem.ts";

/** Below `/v1`, and why each is refused. */
const UNVETTED: Readonly<Record<string, string>> = {
  batches: "a batch runs chats whose calls nobody can vet in time: send each to `/v1/chat/completions`",
  files: "files are kept for batches and for tools that the provider runs: put a file into the message",
  uploads: "files are kept for batches and for tools that the provider runs: put a file into the message",
  vector_stores: "they serve tools that the provider runs: use a tool of the policy in their place",
  assistants: "an assistant runs tools at the provider, where no call can be vetted: use `/v1/responses`",
  threads: "a thread runs tools at the provider, where no call can be vetted: use `/v1/responses`",
  realtime: "its calls arrive over a socket that is not vetted: use `/v1/chat/completions` with `stream`",
  fine_tuning: "it reads files that are not kept here: ask the provider itself",
};

/** Undefined where the path is none of them. */
export function unvettedRoute(pathname: string): Problem | undefined {
  const [, name = ""] = /^\/v1\/([a-z_]+)(?:\/|$)/.exec(pathname) ?? [];
  const why = Object.hasOwn(UNVETTED, name) ? UNVETTED[name] : undefined;
  if (why === undefined) return undefined;
  const message = `\`/v1/${name}\` is not served: ${why}`;
  return { status: 404, type: "invalid_request_error", code: "route_not_served", message };
}
