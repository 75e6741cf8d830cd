/**
 * The desk of the researcher in reference/human-centered-tool-calling.md: notes and a bibliography in memory, and an annotation
 * service on loopback that keeps what reached it. These are the client's tools; they do what they say.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ChatCompletionTool } from "openai/resources/chat/completions";
import policy from "../../../policies/research-assistant.json" with { type: "json" };

interface Note {
  readonly title: string;
  readonly content: string;
  readonly tags: readonly string[];
}

export interface ResearchDesk {
  readonly notes: Map<string, Note>;
  /** Texts that left for the annotation service. */
  readonly sent: readonly string[];
  run(tool: string, args: Readonly<Record<string, unknown>>): Promise<unknown>;
  stop(): Promise<void>;
}

export const passage =
  "Augustine of Hippo developed his doctrine of divine illumination in response to skeptical challenges.";

const used = [
  "search_bibliography",
  "search_notes",
  "create_note",
  "edit_note",
  "delete_note",
  "gnorm_annotate",
] as const;

/** As the researcher's frontend declares them. */
export const deskTools: ChatCompletionTool[] = used.map((name) => {
  const { description, parameters } = policy.tools[name];
  return { type: "function", function: { name, description, parameters } };
});

const sources = [
  { author: "Gadamer", title: "Truth and Method", year: 1960 },
  { author: "Ricoeur", title: "The Hermeneutical Function of Distanciation", year: 1973 },
];

const has = (query: string, ...texts: readonly string[]): boolean =>
  texts.some((one) => one.toLowerCase().includes(query.toLowerCase()));

export async function openDesk(): Promise<ResearchDesk> {
  const service = await startAnnotationService();
  const notes = new Map<string, Note>([
    ["n1", { title: "Schleiermacher", content: "The hermeneutical circle of part and whole.", tags: [] }],
    ["n2", { title: "Heidegger", content: "The hermeneutical circle is not vicious.", tags: [] }],
    ["n3", { title: "On method", content: "See the hermeneutical circle in Gadamer.", tags: ["gadamer"] }],
    ["n7", { title: "Ricoeur Chapter Outline", content: "3.2 Discourse\n3.3 Metaphor", tags: ["ricoeur"] }],
  ]);
  let made = 10;

  type Arguments = Readonly<Record<string, string>>;
  const tools: Record<string, (args: Arguments & { readonly tags?: unknown }) => unknown> = {
    search_bibliography: ({ query = "" }) => sources.filter(({ author, title }) => has(query, author, title)),
    search_notes: ({ query = "" }) =>
      [...notes]
        .filter(([, { title, content }]) => has(query, title, content))
        .map(([id, { title }]) => ({ id, title })),
    create_note({ title = "", content = "", tags }) {
      const id = `n${++made}`;
      notes.set(id, { title, content, tags: (tags as string[] | null) ?? [] });
      return { note_id: id, title };
    },
    edit_note({ note_id: id = "", old_text: old = "", new_text: now = "" }) {
      const note = notes.get(id);
      if (!note?.content.includes(old)) return { error: `the note ${id} holds no such text` };
      notes.set(id, { ...note, content: note.content.replace(old, () => now) });
      return { saved: true };
    },
    delete_note: ({ note_id: id = "" }) => ({ deleted: notes.delete(id) }),
    gnorm_annotate: (args) => service.annotate(args),
  };
  return {
    notes,
    sent: service.texts,
    async run(tool, args) {
      const run = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
      if (!run) throw new Error(`the desk has no tool \`${tool}\``);
      return run(args as Arguments);
    },
    stop: service.stop,
  };
}

interface AnnotationService {
  readonly texts: readonly string[];
  annotate(args: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

const people = ["Augustine of Hippo", "Monica"];
const concepts = ["divine illumination", "skeptical challenges"];

async function startAnnotationService(): Promise<AnnotationService> {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    const { text: passed } = JSON.parse(await text(request)) as { text: string };
    texts.push(passed);
    const found = (names: readonly string[], type: string, confidence: number) =>
      names.filter((name) => passed.includes(name)).map((name) => ({ text: name, type, confidence }));
    const annotations = [...found(people, "Person", 0.94), ...found(concepts, "Concept", 0.65)];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ annotations }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/annotate`;
  return {
    texts,
    annotate: async (args) => (await fetch(url, { method: "POST", body: JSON.stringify(args) })).json(),
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
