/** An R2 bucket in memory, as far as the trail uses one; it may be made to fail. */
export interface MemoryBucket {
  readonly bucket: R2Bucket;
  readonly files: Map<string, { readonly bytes: Uint8Array; readonly uploaded: Date }>;
  /** Fails each call whose text it finds something for: `put records/…`. */
  failing: RegExp | undefined;
}

export function memoryBucket(now: () => number): MemoryBucket {
  const files: MemoryBucket["files"] = new Map();
  const check = (call: string) => {
    if (self.failing?.test(call)) throw new Error(`R2 is down: ${call}`);
  };
  const self: MemoryBucket = { bucket: undefined as unknown as R2Bucket, files, failing: undefined };
  const bucket = {
    async get(key: string) {
      check(`get ${key}`);
      const file = files.get(key);
      if (!file) return null;
      const text = () => new TextDecoder().decode(file.bytes);
      return { bytes: async () => file.bytes, text: async () => text(), json: async () => JSON.parse(text()) };
    },
    async put(key: string, value: string | Uint8Array, options?: { onlyIf?: { etagDoesNotMatch?: string } }) {
      check(`put ${key}`);
      if (options?.onlyIf?.etagDoesNotMatch === "*" && files.has(key)) return null;
      files.set(key, {
        bytes: typeof value === "string" ? new TextEncoder().encode(value) : value.slice(),
        uploaded: new Date(now()),
      });
      return { key };
    },
    async delete(keys: string | string[]) {
      for (const key of [keys].flat()) {
        check(`delete ${key}`);
        files.delete(key);
      }
    },
    async list({ prefix = "", limit = 1000, cursor }: { prefix?: string; limit?: number; cursor?: string }) {
      check(`list ${prefix}`);
      const keys = [...files.keys()].filter((key) => key.startsWith(prefix) && key > (cursor ?? "")).sort();
      const page = keys.slice(0, limit);
      const objects = page.map((key) => ({ key, uploaded: files.get(key)?.uploaded ?? new Date(0) }));
      return keys.length > limit ? { objects, truncated: true, cursor: page.at(-1) } : { objects, truncated: false };
    },
  };
  return Object.assign(self, { bucket: bucket as unknown as R2Bucket });
}
