/**
 * The gateway puts the name of a server before the server's names, and a scheme of its own before its URIs. The conformance suite asks for
 * its own names: a small proxy before the gateway adds both on the way in, takes them off on the way out, and adds a key.
 */
import { request as ask, createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

export interface PlainNames {
  readonly url: string;
  stop(): Promise<void>;
}

interface Message {
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly uri?: string; readonly ref?: { name?: string; uri?: string } };
}

/** @param server its name in the policy. @param gateway the address of `/mcp`. */
export async function plainNames(server: string, gateway: string, key: string): Promise<PlainNames> {
  const [before, scheme] = [`mcp__${server}__`, `toolgate://${server}/`];
  const target = new URL(gateway);
  let own = "";
  const inside = (body: string): string => {
    const message = JSON.parse(body) as Message;
    const { name, uri, ref } = message.params ?? {};
    if (!message.method || message.method.startsWith("notifications/")) return body;
    const named = message.method === "initialize" || name === undefined ? {} : { name: before + name };
    const inner = {
      ...(ref?.name === undefined ? {} : { name: before + ref.name }),
      ...(ref?.uri === undefined ? {} : { uri: scheme + ref.uri }),
    };
    return JSON.stringify({
      ...message,
      params: {
        ...message.params,
        ...named,
        ...(uri === undefined ? {} : { uri: scheme + uri }),
        ...(ref ? { ref: { ...ref, ...inner } } : {}),
      },
    });
  };
  const outside = (text: string): string => text.replaceAll(before, "").replaceAll(scheme, "");
  const headersFor = ({ host: _, "content-length": __, origin, ...headers }: IncomingHttpHeaders) => ({
    ...headers,
    // In the protocol of 2026 a header repeats what the body names.
    ...(headers["mcp-name"] === undefined
      ? {}
      : { "mcp-name": (headers["mcp-method"] === "resources/read" ? scheme : before) + String(headers["mcp-name"]) }),
    authorization: `Bearer ${key}`,
    // A page of the proxy's own address is one of the gateway's.
    ...(origin === undefined ? {} : { origin: origin === own ? target.origin : origin }),
  });
  const http = createServer(async (incoming, outgoing) => {
    const body = await textOf(incoming);
    const { method, headers } = incoming;
    const asked = ask(target, { method, headers: headersFor(headers) }, (answer) => {
      const { "content-length": _, ...headers } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      outgoing.flushHeaders();
      let held = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        // Whole events alone: a name may stand across two pieces.
        const at = (held + chunk).lastIndexOf("\n\n");
        const whole = at === -1 ? "" : (held + chunk).slice(0, at + 2);
        held = (held + chunk).slice(whole.length);
        if (whole !== "") outgoing.write(outside(whole));
      });
      answer.once("end", () => outgoing.end(outside(held)));
      answer.once("error", () => outgoing.destroy());
    });
    asked.once("error", () => outgoing.destroy());
    outgoing.once("close", () => asked.destroy());
    asked.end(body === "" ? undefined : inside(body));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  own = `http://localhost:${(http.address() as AddressInfo).port}`;
  return {
    url: `${own}/mcp`,
    stop() {
      http.closeAllConnections();
      return new Promise((resolve) => http.close(() => resolve()));
    },
  };
}
