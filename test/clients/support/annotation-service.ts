/**
 * An annotation service on loopback: finds people, places and concepts by a gazetteer and by rules, and says how sure it is of
 * each and whether the text says so or it is a reading of it. Keeps what reached it.
 */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

export interface AnnotationService {
  readonly url: string;
  /** In the order in which they came. */
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: AnnotationRequest }[];
  /** Answers the next request in place of the service; once. */
  answerNext(status: number, body: string, headers?: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

interface AnnotationRequest {
  readonly text: string;
  readonly entity_types: readonly string[] | null;
}

interface Found {
  readonly entity_text: string;
  readonly entity_type: string;
  readonly confidence: number;
  readonly epistemic_indicator?: "FACTUAL" | "INTERPRETIVE";
  readonly start: number;
}

const gazetteer: readonly (readonly [name: string, type: string, confidence: number])[] = [
  ["Augustine of Hippo", "Person", 0.94],
  ["Hippo", "Place", 0.91],
  ["Monica", "Person", 0.88],
  ["Milan", "Place", 0.97],
  ["アウグスティヌス", "Person", 0.93],
  ["ヒッポ", "Place", 0.9],
];

/** What is told of a name's context: less sure, and mostly a reading. */
const rules: readonly (readonly [pattern: RegExp, type: string, confidence: number, factual: boolean])[] = [
  [/\bdoctrine of (\p{L}+ \p{L}+)/gu, "Concept", 0.68, false],
  [/\b(\p{L}+(?:ic|ical) (?:challenges|doubts))\b/gu, "Concept", 0.62, false],
  [/\b(?:Bishop|Saint|St\.) (\p{Lu}\p{L}+)/gu, "Person", 0.81, true],
  [/\b(\d{3,4})\b/gu, "Date", 0.7, true],
];

function annotate({ text, entity_types: types }: AnnotationRequest): readonly Found[] {
  const named = gazetteer.flatMap(([name, type, confidence]): Found[] => {
    const start = text.indexOf(name);
    return start < 0
      ? []
      : [{ entity_text: name, entity_type: type, confidence, epistemic_indicator: "FACTUAL", start }];
  });
  const ruled = rules.flatMap(([pattern, type, confidence, factual]) =>
    [...text.matchAll(pattern)].map(
      (match): Found => ({
        entity_text: match[1] ?? "",
        entity_type: type,
        confidence,
        epistemic_indicator: factual ? "FACTUAL" : "INTERPRETIVE",
        start: match.index + match[0].indexOf(match[1] ?? ""),
      }),
    ),
  );
  return [...named, ...ruled]
    .filter(({ entity_type: type }) => !types || types.includes(type))
    .sort((one, other) => one.start - other.start);
}

export async function startAnnotationService(): Promise<AnnotationService> {
  const requests: { headers: IncomingHttpHeaders; body: AnnotationRequest }[] = [];
  let next: { status: number; body: string; headers: Readonly<Record<string, string>> } | undefined;
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as AnnotationRequest;
    requests.push({ headers: request.headers, body });
    const scripted = next;
    next = undefined;
    const answer = scripted ?? { status: 200, body: JSON.stringify({ annotations: annotate(body) }), headers: {} };
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/annotate`,
    requests,
    answerNext(status, body, headers = {}) {
      next = { status, body, headers };
    },
    stop() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
