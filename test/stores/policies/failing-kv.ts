/** A `KvPort` that counts what is read and fails while told to. */
import type { KvPort } from "../../../src/ports/kv-port.ts";
import { memoryKv } from "../../support/memory-kv.ts";

export function failingKv(): KvPort & { failing: boolean; readonly reads: string[] } {
  const kv = memoryKv();
  const reads: string[] = [];
  const port = {
    ...kv,
    failing: false,
    reads,
    get: async (key: string) => {
      reads.push(key);
      if (port.failing) throw new Error("KV GET failed: 500");
      return kv.get(key);
    },
  };
  return port;
}
