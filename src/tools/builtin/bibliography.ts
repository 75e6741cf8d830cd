/**
 * Bibliographies: the port to their store (it rejects if the store fails), how a list of CSL-JSON items is checked and
 * made searchable (`readSources`), and the part of a found item that the model gets (`citation`).
 */
import * as z from "zod";
import { once } from "../../lib/once.ts";
import { shapeMessages } from "../../policy/document/shape-issues.ts";

/** The owner of sources: a user, or, if `user` is `null`, the tenant: all its users find them. */
export interface BibliographyScope {
  readonly tenant: string;
  readonly user: string | null;
}

export const MAX_USER_SOURCES = 10_000;
export const MAX_TENANT_SOURCES = 50_000;

export interface KeptSource {
  readonly id: string;
  readonly scope: "user" | "tenant";
  /** The item as JSON. */
  readonly csl: string;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

interface FoundSources {
  /** The best first. */
  readonly sources: readonly (KeptSource & { readonly snippet: string })[];
  readonly more: boolean;
  readonly matched: "all" | "some";
}

export interface BibliographyPort {
  /** All or none; one of the same id is replaced. @returns undefined if the scope would hold more than it may. */
  put(
    scope: BibliographyScope,
    sources: readonly Source[],
  ): Promise<{ readonly created: number; readonly updated: number } | undefined>;
  /** By id. @param after an id. */
  list(
    scope: BibliographyScope,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<readonly KeptSource[]>;
  read(scope: BibliographyScope, id: string): Promise<KeptSource | undefined>;
  /** @returns whether there was one. */
  remove(scope: BibliographyScope, id: string): Promise<boolean>;
  /** Searches the user's and the tenant's. */
  search(user: { readonly tenant: string; readonly user: string }, query: string, limit: number): Promise<FoundSources>;
}

export interface Source {
  readonly id: string;
  /** The whole item, as JSON. */
  readonly csl: string;
  readonly searched: SearchedSource;
}

interface SearchedSource {
  readonly title: string;
  readonly authors: string;
  readonly tags: string;
  readonly year: string;
  readonly container: string;
  readonly abstract: string;
}

/** Characters of one item's JSON. */
const MAX_SOURCE = 32_768;
const MAX_SOURCE_ID = 256;

const name = once(() =>
  z.looseObject({
    family: z.string().optional(),
    given: z.string().optional(),
    literal: z.string().optional(),
    "non-dropping-particle": z.string().optional(),
  }),
);

const item = once(() =>
  z.looseObject({
    id: z
      .union([z.string().min(1).max(MAX_SOURCE_ID), z.int()], {
        error: `must be a number, or 1 to ${MAX_SOURCE_ID} characters`,
      })
      .transform(String),
    type: z.string().max(64),
    title: z.string().optional(),
    author: z.array(name()).optional(),
    editor: z.array(name()).optional(),
    issued: z
      .looseObject({
        "date-parts": z.array(z.array(z.union([z.string(), z.number()]))).optional(),
        literal: z.string().optional(),
        raw: z.string().optional(),
      })
      .optional(),
    "container-title": z.string().optional(),
    abstract: z.string().optional(),
    keyword: z.string().optional(),
    tags: z.array(z.string()).optional(),
    DOI: z.string().optional(),
    URL: z.string().optional(),
  }),
);

type Item = z.output<ReturnType<typeof item>>;

type SourceIssue = { readonly path: string; readonly message: string };

/** @returns the sources, or everything that is wrong with the list. */
export function readSources(list: readonly unknown[]): readonly Source[] | { readonly issues: readonly SourceIssue[] } {
  const issues: SourceIssue[] = [];
  const sources = new Map<string, Source>();
  for (const [at, one] of list.entries()) {
    const read = item().safeParse(one, { error: shapeMessages });
    const csl = JSON.stringify(one) ?? "";
    if (!read.success)
      issues.push(...read.error.issues.map(({ path, message }) => ({ path: [at, ...path].join("."), message })));
    else if (csl.length > MAX_SOURCE)
      issues.push({ path: `${at}`, message: `is longer than ${MAX_SOURCE} characters` });
    else sources.set(read.data.id, { id: read.data.id, csl, searched: searchedOf(read.data) });
  }
  return issues.length > 0 ? { issues } : [...sources.values()];
}

function searchedOf(csl: Item): SearchedSource {
  return {
    title: csl.title ?? "",
    authors: [...(csl.author ?? []), ...(csl.editor ?? [])].map(nameOf).join("; "),
    tags: tagsOf(csl).join("; "),
    year: yearOf(csl) ?? "",
    container: csl["container-title"] ?? "",
    abstract: csl.abstract ?? "",
  };
}

const nameOf = ({
  family,
  given,
  literal,
  "non-dropping-particle": particle,
}: z.output<ReturnType<typeof name>>): string =>
  literal ?? [[particle, family].filter(Boolean).join(" "), given].filter(Boolean).join(", ");

const tagsOf = ({ keyword = "", tags = [] }: Item): string[] =>
  [...keyword.split(/[;,；、，]/), ...tags].map((tag) => tag.trim()).filter((tag) => tag !== "");

function yearOf({ issued }: Item): string | undefined {
  const [year] = issued?.["date-parts"]?.[0] ?? [];
  return year === undefined ? /\d{4}/.exec(issued?.literal ?? issued?.raw ?? "")?.[0] : String(year);
}

/** For the model: what it needs to cite the source, and the passage with the words. */
export function citation(csl: string, snippet: string): Readonly<Record<string, unknown>> {
  const read = item().safeParse(JSON.parse(csl));
  if (!read.success) return {};
  const { id, type, title, author, editor, DOI, URL, "container-title": container } = read.data;
  const members = {
    id,
    type,
    title,
    authors: (author ?? editor ?? []).slice(0, 10).map(nameOf),
    year: yearOf(read.data),
    container,
    doi: DOI,
    url: URL,
    tags: tagsOf(read.data).slice(0, 20),
    abstract: snippet === "" ? undefined : snippet,
  };
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [key, shortened(value)]));
}

const shortened = (value: unknown): unknown =>
  typeof value === "string" && value.length > 500 ? `${value.slice(0, 500).toWellFormed()}…` : value;
