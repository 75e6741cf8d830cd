/** `POST /v1/responses`: the turn in the Responses API. Responses are stored in the user's object. */
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import type { JsonObject } from "../../lib/json/json-value.ts";
import { describeError, log } from "../../lib/log.ts";
import { err, ok, type Result } from "../../lib/result.ts";
import type { EarlierRequest } from "../../ports/responses-port.ts";
import {
  type Continuation,
  type EarlierItems,
  readContinuation,
  readResponsesRequest,
} from "../../wire/responses/responses-request.ts";
import type { AuthenticatedPrincipal } from "../authenticate/identity.ts";
import { badRequest, type Problem, problemOf, tooLarge } from "../problem.ts";
import { orUnavailable } from "../reach.ts";
import type { Surface } from "../surface/surface.ts";
import { responsesFormat } from "./responses-format.ts";

type SurfaceDeps = Pick<Deps, "now" | "guardOf" | "limits">;

export const responsesSurface = (deps: SurfaceDeps): Surface => ({
  async read(body, { keptNumbers, bodyBytes, principal: principalOf }) {
    const continuation = readContinuation(body);
    if (!continuation.ok) return err(problemOf(continuation.error));
    const stores = body.store !== false;
    // Only a surface that stores something must know the principal before the request is read.
    const owner = stores || goesOn(continuation.value) ? principalOf(body.user) : undefined;
    if (owner && !owner.ok) return owner;
    // As if the client had sent all of it.
    const maxUnits = Math.max(0, deps.limits.maxBodyBytes - bodyBytes);
    const found = await earlierItems(deps, owner?.value, { ...continuation.value, maxUnits });
    if (!found.ok) return found;
    const { earlier, units } = found.value;
    const read = readResponsesRequest(body, keptNumbers, earlier);
    if (!read.ok) return err(problemOf(read.error));
    const { chat, forms, input, sealsReasoning, store } = read.value;
    const createdAt = deps.now();
    const id = newId("resp", createdAt);
    const format = responsesFormat({
      head: { id, createdAt, request: body, store },
      forms,
      newItemId: (prefix) => newId(prefix, deps.now()),
      seals: sealsReasoning,
      keep: async (response, session) =>
        owner?.ok === true && keep(deps, owner.value, { id, input, session, response, ...continuation.value }),
    });
    return ok({ chat, user: body.user, format, earlierBytes: units });
  },
});

const goesOn = ({ previous, conversation, references }: Continuation): boolean =>
  previous !== undefined || conversation !== undefined || references.length > 0;

interface FoundItems {
  readonly earlier: EarlierItems;
  readonly units: number;
}

async function earlierItems(
  { guardOf, limits }: SurfaceDeps,
  owner: AuthenticatedPrincipal | undefined,
  continuation: EarlierRequest,
): Promise<Result<FoundItems, Problem>> {
  const nothing = { items: [], session: undefined, referenced: new Map() };
  if (!owner || !goesOn(continuation)) return ok({ earlier: nothing, units: 0 });
  const reached = await orUnavailable(guardOf(owner).responses.earlier(continuation));
  if (!reached.ok) return reached;
  const found = reached.value;
  if (found.kind === "unknown") return err(unknownEarlier(found.what, found.id));
  if (found.kind === "too_long") return err(tooLarge("the request with what it goes on from", limits.maxBodyBytes));
  const items = found.items.flatMap((text) => JSON.parse(text) as JsonObject[]);
  const referenced = new Map(
    found.referenced.map((text, at) => [continuation.references[at] as string, JSON.parse(text) as JsonObject]),
  );
  const units = [...found.items, ...found.referenced].reduce((sum, { length }) => sum + length, 0);
  return ok({ earlier: { items, session: found.session, referenced }, units });
}

function unknownEarlier(what: "response" | "conversation" | "item", id: string): Problem {
  const param = { response: "previous_response_id", conversation: "conversation", item: "input" }[what];
  const named = id.slice(0, 64).toWellFormed();
  const message = `no such ${what}: \`${named}\` was never kept, or is deleted; send all items in \`input\``;
  return {
    ...badRequest(param, message, what === "response" ? "previous_response_not_found" : "not_found"),
    status: 404,
  };
}

interface CompleteResponse extends Continuation {
  readonly id: string;
  readonly input: readonly JsonObject[];
  readonly session: string;
  readonly response: JsonObject;
}

/** A response that cannot be stored is sent too, and says that it is not stored. */
async function keep(
  { guardOf, now }: SurfaceDeps,
  owner: AuthenticatedPrincipal,
  { id, input, session, response, previous, conversation }: CompleteResponse,
): Promise<boolean> {
  const { output, ...settings } = response;
  // Each item can be referred to.
  const named = input.map((item) => (typeof item.id === "string" ? item : { ...item, id: newId("msg", now()) }));
  const itemIds = [...named, ...(output as readonly JsonObject[])].flatMap((item) =>
    typeof item.id === "string" ? [item.id] : [],
  );
  try {
    const { tenant, user } = owner;
    return await guardOf(owner).responses.keep(
      { tenant, user },
      {
        ...{ id, previous, conversation, session, itemIds },
        input: JSON.stringify(named),
        output: JSON.stringify(output),
        response: JSON.stringify(settings),
      },
    );
  } catch (error) {
    log("error", "response_not_kept", { response: id, ...describeError(error) });
    return false;
  }
}
