/** Reads an archive in a folder, or in a bucket by the S3 API (R2's, or another's). */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { AwsClient } from "aws4fetch";
import { err, ok, type Result } from "../../lib/result.ts";
import type { ArchiveReader } from "../../stores/archive/verify-archive.ts";

export interface OpenArchive extends ArchiveReader {
  /** Undefined if it is no folder of this machine. */
  readonly folder: string | undefined;
}

export const ARCHIVE_USAGE =
  "ARCHIVE is a folder, or s3://BUCKET[/PREFIX] with AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

type Environment = Readonly<Record<string, string | undefined>>;

export function openArchive(place: string, environment: Environment): Result<OpenArchive, readonly string[]> {
  const s3 = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place);
  if (!s3)
    return existsSync(place) ? ok(folderArchive(place)) : err([`there is no folder \`${place}\`: ${ARCHIVE_USAGE}`]);
  const [, bucket = "", prefix = ""] = s3;
  const { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = environment;
  if (!endpoint || !id || !secret)
    return err([
      `\`${place}\` is a bucket: ${ARCHIVE_USAGE}; for R2 the endpoint is https://ACCOUNT.r2.cloudflarestorage.com`,
    ]);
  const client = new AwsClient({ accessKeyId: id, secretAccessKey: secret, service: "s3", region: "auto" });
  const base = `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  return ok(bucketArchive((url) => client.fetch(url), base, prefix === "" ? "" : `${prefix.replace(/\/+$/, "")}/`));
}

function folderArchive(folder: string): OpenArchive {
  return {
    folder,
    async list(prefix) {
      // An archive may lack one of its parts.
      if (!existsSync(join(folder, prefix))) return [];
      const names = await readdir(join(folder, prefix), { recursive: true });
      return names
        .map((name) => prefix + name.split(sep).join("/"))
        .filter((key) => /\.(parquet|json)$/.test(key))
        .sort();
    },
    read: async (key) => {
      try {
        return new Uint8Array(await readFile(join(folder, key)));
      } catch (error) {
        if ((error as { readonly code?: string }).code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}

function bucketArchive(ask: (url: string) => Promise<Response>, base: string, prefix: string): OpenArchive {
  const fail = async (what: string, response: Response): Promise<never> => {
    throw new Error(
      `the archive cannot be read (${what}: ${response.status}): ${(await response.text()).slice(0, 200)}`,
    );
  };
  return {
    folder: undefined,
    async list(under) {
      const keys: string[] = [];
      for (let token: string | undefined = ""; token !== undefined; ) {
        const params = new URLSearchParams({ "list-type": "2", prefix: prefix + under });
        if (token !== "") params.set("continuation-token", token);
        const response = await ask(`${base}?${params}`);
        if (!response.ok) return fail("list", response);
        const text = await response.text();
        keys.push(...textsOf(text, "Key").map((key) => key.slice(prefix.length)));
        [token] = textsOf(text, "NextContinuationToken");
      }
      return keys.sort();
    },
    async read(key) {
      const response = await ask(`${base}/${(prefix + key).split("/").map(encodeURIComponent).join("/")}`);
      if (response.status === 404) return undefined;
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : fail(key, response);
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The answer to a list is flat: its elements hold text alone. */
const textsOf = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text = ""]) =>
    text.replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity),
  );
