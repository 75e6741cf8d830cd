/** `POST /v1/responses`: the turn in the Responses API. */
import type { Deps } from "../../deps.ts";
import { newId } from "../../lib/ids.ts";
import { err, ok } from "../../lib/result.ts";
import { readResponsesRequest } from "../../wire/responses/responses-request.ts";
import { badRequest, problemOf } from "../problem.ts";
import type { Surface } from "../surface/surface.ts";
import { responsesFormat } from "./responses-format.ts";

export const responsesSurface = ({ now }: Pick<Deps, "now">): Surface => ({
  read(body, { keptNumbers }) {
    for (const name of ["previous_response_id", "conversation"])
      if (body[name] != null) return err(badRequest(name, `\`${name}\` is not supported: send all items`));
    const read = readResponsesRequest(body, keptNumbers);
    if (!read.ok) return err(problemOf(read.error));
    const { chat, custom, sealsReasoning } = read.value;
    const createdAt = now();
    const format = responsesFormat(
      {
        head: { id: newId("resp", createdAt), createdAt, request: body, store: false },
        custom,
        newItemId: (prefix) => newId(prefix, now()),
      },
      sealsReasoning,
    );
    return ok({ chat, user: body.user, format });
  },
});
