/** OpenAI's routes that the gateway refuses, whatever the upstream could do, and what to use in their place. Pure. */
import type { Problem } from "./problem.ts";

const ELSEWHERE = "ask the provider itself";

/** Below `/v1`. By most of them a model would run tools that nobody has vetted. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^batches$/, "a batch runs chats whose calls nobody can vet in time: send each to `/v1/chat/completions`"],
  [/^(files|uploads)$/, "files are kept for batches and for tools that the provider runs: put a file into the message"],
  [/^vector_stores$/, "they serve tools that the provider runs: use a tool of the policy in their place"],
  [/^assistants$/, "an assistant runs tools at the provider, where no call can be vetted: use `/v1/responses`"],
  [/^threads$/, "a thread runs tools at the provider, where no call can be vetted: use `/v1/responses`"],
  [/^chatkit$/, "its workflows run tools at the provider, where no call can be vetted: use `/api/chat`"],
  [/^(containers|skills)$/, "they serve tools that the provider runs: use a tool of the policy in their place"],
  [/^realtime$/, "its calls arrive over a socket that is not vetted: use `/v1/chat/completions` with `stream`"],
  [/^fine_tuning$/, `it reads files that are not kept here: ${ELSEWHERE}`],
  [/^(evals|videos|organization)$/, ELSEWHERE],
  [/^responses\/compact$/, "the gateway compacts no conversation: send the items that the model is to see"],
  [/^responses\/input_tokens$/, "the gateway counts no tokens before a request: the reply's `usage` has them"],
  [/^responses\/[^/]+\/cancel$/, "a turn lives as long as its reply: to end it, close the connection"],
];

/** Undefined where the path is none of them. */
export function refusedRoute(pathname: string): Problem | undefined {
  if (!pathname.startsWith("/v1/")) return undefined;
  const segments = pathname.slice("/v1/".length).split("/");
  const paths = [segments[0] ?? "", segments.join("/")];
  const refused = REFUSED.find(([pattern]) => paths.some((path) => pattern.test(path)));
  if (!refused) return undefined;
  const name = paths.find((path) => refused[0].test(path)) ?? "";
  const message = `\`/v1/${name.slice(0, 160).toWellFormed()}\` is not served: ${refused[1]}`;
  return { status: 404, type: "invalid_request_error", code: "route_not_served", message };
}
