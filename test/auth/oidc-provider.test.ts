import { expect, test } from "vitest";
import { oidcProvider } from "../../src/auth/oidc-provider.ts";
import { readConsole } from "../../src/settings/console.ts";

/** Where a person is sent who signs in with this provider. */
async function sentTo(issuer: string) {
  const read = readConsole({ CONSOLE_OIDC: JSON.stringify({ issuer, client_id: "console" }), TOOLGATE_DEV: "1" });
  if (!read.ok || !read.value.oidc) throw new Error("the settings are wrong");
  const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
  const provider = oidcProvider(read.value.oidc, async () => Response.json(metadata));
  const request = { redirectUri: "http://localhost:8787/console/signed-in", state: "s", nonce: "n", challenge: "c" };
  return provider.authorizationUrl(request, 0);
}

test.each(["https://id.example", "http://localhost:8080/realms/dev"])("a person is sent to %s", async (issuer) => {
  expect(await sentTo(issuer)).toMatch(`${issuer}/authorize?response_type=code&client_id=console`);
});
