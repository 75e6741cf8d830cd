/**
 * A gateway as a careful person writes it by hand: reads the upstream's stream, parses every event, writes on what came,
 * one write for each read. Governs nothing.
 */
interface Env {
  readonly UPSTREAM_BASE_URL: string;
  readonly UPSTREAM_API_KEY: string;
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  async fetch(request: Request, env: Env, ctx: Context): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return new Response("ok");
    const body = (await request.json()) as { readonly stream?: boolean };
    const answer = await fetch(env.UPSTREAM_BASE_URL + pathname.slice("/v1".length), {
      method: "POST",
      headers: { authorization: `Bearer ${env.UPSTREAM_API_KEY}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: request.signal,
    });
    if (!body.stream || !answer.ok || !answer.body)
      return Response.json(await answer.json(), { status: answer.status });
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    ctx.waitUntil(relay(answer.body, writable.getWriter()));
    return new Response(readable, { headers: { "content-type": "text/event-stream" } });
  },
};

async function relay(body: ReadableStream<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  try {
    for await (const bytes of body) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) checkEvent(event);
      if (events.length > 0) await writer.write(encoder.encode(`${events.join("\n\n")}\n\n`));
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error);
  }
}

/** Throws where an event is none, or tells an error. */
function checkEvent(event: string): void {
  const data = event.startsWith("data: ") ? event.slice("data: ".length) : undefined;
  if (data === undefined || data === "[DONE]") return;
  const { error } = JSON.parse(data) as { readonly error?: unknown };
  if (error !== undefined) throw new Error("the upstream reported an error");
}
