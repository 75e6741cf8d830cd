/** The least that a gateway can do: hand the request on and the answer back. */
interface Env {
  readonly UPSTREAM_BASE_URL: string;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/health") return new Response("ok");
    const { method, headers, body } = request;
    return fetch(new URL(pathname, env.UPSTREAM_BASE_URL), { method, headers, body });
  },
};
