/** An R2 bucket in memory, as far as the trail uses one; it may be made to fail. */
export interface MemoryBucket {
  readonly bucket: R2Bucket;
  readonly files: Map<string, { readonly bytes: Uint8Array; readonly uploaded: Date }>;
  /** Fails each call whose text it finds something for: `put records/…`. */
  failing: RegExp | undefined;
}

export function memoryBucket(now: () => number): MemoryBucket {
  const files: MemoryBucket["files"] = new Map();
  const etags = new Map<string, string>();
  let puts = 0;
  const check = (call: string) => {
    if (self.failing?.test(call)) throw new Error(`R2 is down: ${call}`);
  };
  const self: MemoryBucket = { bucket: undefined as unknown as R2Bucket, files, failing: undefined };
  const bucket = {
    async get(key: string) {
      check(`get ${key}`);
      const file = files.get(key);
      if (!file) return null;
      const etag = etags.get(key);
      const text = () => new TextDecoder().decode(file.bytes);
      return { etag, bytes: async () => file.bytes, text: async () => text(), json: async () => JSON.parse(text()) };
    },
    async put(key: string, value: string | Uint8Array, options?: { onlyIf?: R2Conditional }) {
      check(`put ${key}`);
      const { etagMatches, etagDoesNotMatch } = options?.onlyIf ?? {};
      if (etagDoesNotMatch === "*" && files.has(key)) return null;
      if (etagMatches !== undefined && !(files.has(key) && etags.get(key) === etagMatches)) return null;
      etags.set(key, `etag-${++puts}`);
      files.set(key, {
        bytes: typeof value === "string" ? new TextEncoder().encode(value) : value.slice(),
        uploaded: new Date(now()),
      });
      return { key };
    },
    async head(key: string) {
      check(`head ${key}`);
      return files.has(key) ? { key } : null;
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) {
        check(`delete ${key}`);
        files.delete(key);
      }
    },
    async list({ prefix = "", limit = 1000, cursor, startAfter = "" }: R2ListOptions) {
      check(`list ${prefix}`);
      const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? startAfter)).sort();
      const page = keys.slice(0, limit);
      const objects = page.map((key) => ({ key, uploaded: files.get(key)?.uploaded ?? new Date(0) }));
      return keys.length > limit ? { objects, truncated: true, cursor: page.at(-1) } : { objects, truncated: false };
    },
  };
  return Object.assign(self, { bucket: bucket as unknown as R2Bucket });
}
