/** The Worker in workerd before a scripted model; each suite is a tenant with the policy that `policy init` drafts for its tools. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { createKey } from "../../../src/auth/kv-keys.ts";
import { startMiniflare } from "../../../src/cli/local/miniflare.ts";
import { trainedModel } from "../../../src/cli/models/trained-model.ts";
import { draftPolicy } from "../../../src/cli/policy/init/draft-policy.ts";
import { checkPolicy } from "../../../src/policy/check.ts";
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { putPolicy } from "../../../src/stores/policies/policy-source.ts";
import type { BytesKv } from "../../../src/stores/semantic/compiled-models.ts";
import { bundleWorker } from "../run/miniflare.ts";
import { answerOf, type ModelAnswer, type ModelRequest, type Script } from "./scripted-model.ts";
import type { SuiteTool } from "./suites.ts";

export interface Tenant {
  readonly url: string;
  /** Acts for any user. */
  readonly token: string;
  /** By the name of the model that a request asks for. */
  readonly scripts: Map<string, Script>;
}

export interface GovernanceGateway {
  tenant(name: string, tools: readonly SuiteTool[]): Promise<Tenant>;
  stop(): Promise<void>;
}

export async function startGateway(): Promise<GovernanceGateway> {
  const scripts = new Map<string, Script>();
  const upstream = await startUpstream(scripts);
  const { code } = await bundleWorker("toolgate");
  const bindings = {
    TOOLGATE_DEV: "1",
    AUDIT_KEY: `bench:${"5e".repeat(32)}`,
    UPSTREAM_BASE_URL: upstream.url,
    UPSTREAM_API_KEY: "sk-bench",
    KEY_RATE_LIMIT: "10000000/1m",
  };
  const { mf, origin } = await startMiniflare({ name: "toolgate", code, bindings, stores: true });
  const kv = (await mf.getKVNamespace("KV")) as unknown as KvPort & BytesKv;
  return {
    async tenant(tenant, tools) {
      const now = Date.now();
      const { document } = draftPolicy(tools, tenant);
      // As `npm start` puts it: the policy comes with the model that it trains.
      const checked = checkPolicy(document, "drafted");
      const model = checked.ok ? await trainedModel(checked.value.policy) : undefined;
      if (model) await kv.put(model.key, model.value.buffer);
      await putPolicy(kv, tenant, document, now);
      const key = { tenant, user: "backend", role: "user", connections: [], rateLimit: null, actsFor: true };
      return { url: origin, token: (await createKey(kv, key, now)).token, scripts };
    },
    async stop() {
      await mf.dispose();
      await upstream.stop();
    },
  };
}

async function startUpstream(scripts: ReadonlyMap<string, Script>) {
  let count = 0;
  const server = createServer(async (request, response) => {
    const asked = JSON.parse((await textOf(request)) || "{}") as ModelRequest;
    const script = scripts.get(asked.model);
    count += 1;
    const answer = script ? answerOf(script, asked, `call_${count}`) : { text: "ok" };
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify(completion(asked.model, answer, count)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function completion(model: string, answer: ModelAnswer, count: number): object {
  const call = "tool" in answer ? { name: answer.tool, arguments: JSON.stringify(answer.args) } : undefined;
  const message = {
    role: "assistant",
    content: "text" in answer ? answer.text : null,
    ...(call ? { tool_calls: [{ id: `call_${count}`, type: "function", function: call }] } : {}),
  };
  return {
    id: `chatcmpl-${count}`,
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message, finish_reason: call ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
