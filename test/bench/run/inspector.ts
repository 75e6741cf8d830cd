/** V8's inspector of a running Worker, through the port that workerd opens for debuggers. */

export interface Inspector {
  /** Calls a method of the Chrome DevTools protocol; rejects where V8 answers with an error. */
  send(method: string, params?: object): Promise<unknown>;
  close(): void;
}

interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** @param worker its name in Miniflare, whose own Workers answer on the same port. */
export async function openInspector(port: number, worker: string): Promise<Inspector> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/core:user:${worker}`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`the inspector knows no Worker \`${worker}\``));
  });
  let last = 0;
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.onmessage = ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id === undefined) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  };
  return {
    async send(method, params = {}) {
      const id = ++last;
      const reply = await new Promise<Reply>((resolve) => {
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ id, method, params }));
      });
      if (reply.error) throw new Error(`${method}: ${reply.error.message}`);
      return reply.result;
    },
    close: () => socket.close(),
  };
}
