/** A gateway that knows providers by name, and what these answer. */
import { PROVIDERS, type ProviderName, type WireStep } from "../../support/provider-wire.ts";
import { type Gateway, type GatewayOptions, gateway, type Upstream } from "../support/gateway.ts";

export const stream = (events: readonly string[], headers: Record<string, string> = {}): Response =>
  new Response(events.join(""), { headers: { "content-type": "text/event-stream", ...headers } });

export const answers =
  (provider: ProviderName, step: WireStep, headers: Record<string, string> = {}): Upstream =>
  () =>
    stream(PROVIDERS[provider](step), headers);

/** With the providers `anthropic` and `google`, a fast one that is OpenAI-compatible, and the numbered upstream. */
export const providers = ({ variables = {}, ...options }: GatewayOptions = {}): Promise<Gateway> =>
  gateway({
    ...options,
    variables: {
      UPSTREAM_PROVIDERS: JSON.stringify({ anthropic: {}, google: {}, "fast-1": { baseUrl: "https://fast.test/v1" } }),
      UPSTREAM_ANTHROPIC_API_KEY: "sk-ant",
      UPSTREAM_GOOGLE_API_KEY: "sk-goog",
      UPSTREAM_FAST_1_API_KEY: "sk-fast",
      ...variables,
    },
  });
