/** The model that the layer `model` asks: at the gateway's upstream, once, with no retry. */
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { askedModel, type ModelAsking } from "./asked-model.ts";
import { ofBoundedLength } from "./relay/bounded-response.ts";
import { orderFor, type Upstreams } from "./upstream/upstreams.ts";

/**
 * @param chosen the model of the settings, sent in place of the upstream's and of the one that the client named.
 * @returns what makes the model for one request; undefined from it where no model is named.
 */
export const detectorModel =
  (upstreams: Upstreams, chosen: string | undefined) =>
  (asking: ModelAsking | undefined): LanguageModelV4 | undefined => {
    const [index = 0] = orderFor(upstreams, asking?.headers ?? {});
    return askedModel(upstreams, index, asking, { name: "detector", chosen }, async (input, init) =>
      ofBoundedLength(await upstreams.fetch(input, init)),
    );
  };
