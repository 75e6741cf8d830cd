/** How much memory a running Worker's objects take once what nobody holds is collected. */
import { openInspector } from "./inspector.ts";

interface HeapUsage {
  readonly usedSize: number;
  /** What the runtime's own objects behind JavaScript's take: streams, requests, headers. */
  readonly embedderHeapUsedSize: number;
  /** The bytes of array buffers, which are not in V8's heap. */
  readonly backingStorageSize: number;
}

export interface LiveHeap {
  /** In bytes: JavaScript's objects, the runtime's behind them and array buffers, of the Worker and the Durable Objects beside it. */
  read(): Promise<number>;
  close(): void;
}

/**
 * @param url of the Worker: V8 collects in a task, and workerd runs an isolate's tasks only when a request comes. `/health`
 * must answer there.
 */
export async function openLiveHeap(port: number, worker: string, url: string): Promise<LiveHeap> {
  const inspector = await openInspector(port, worker);
  await inspector.send("HeapProfiler.enable");
  const collect = async () => {
    const collected = inspector.send("HeapProfiler.collectGarbage");
    await (await fetch(`${url}/health`)).text();
    await collected;
  };
  return {
    async read() {
      // What a finalizer releases is collected by the next collection.
      await collect();
      await collect();
      const usage = (await inspector.send("Runtime.getHeapUsage")) as HeapUsage;
      return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
    },
    close: () => inspector.close(),
  };
}
