/** Secrets that the policy names and the settings bind to no such place: calls that need them do not start. Pure. */
import { hostOf } from "../../lib/host.ts";
import type { CompiledPolicy } from "../../policy/compile.ts";
import { referencesIn } from "../../policy/managed/references.ts";
import { boundSecret, NO_SECRETS, readToolSecrets } from "../../settings/tool-secrets.ts";

const SECRET = "secret.";

interface Sender {
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** One line each, with the place in the document. */
export function unboundSecrets(
  policy: CompiledPolicy,
  tenant: string,
  bindings: Readonly<Record<string, string>>,
): readonly string[] {
  const read = readToolSecrets(bindings);
  const secrets = read.ok ? read.value : NO_SECRETS;
  return sendersIn(policy).flatMap(([path, { url, headers }]) => {
    const host = url === undefined ? undefined : hostOf(url);
    if (host === undefined) return [];
    return Object.entries(headers).flatMap(([header, template]) =>
      referencesIn(template).flatMap((reference) => {
        if (!reference.startsWith(SECRET)) return [];
        const name = reference.slice(SECRET.length);
        if (boundSecret(secrets, name, tenant, host) !== undefined) return [];
        return [
          `  ${path}/headers/${header}: TOOL_SECRETS binds no \`${name}\` to the tenant \`${tenant}\` and ${host}, no such call will start`,
        ];
      }),
    );
  });
}

function sendersIn({ tools, mcpServers }: CompiledPolicy): readonly (readonly [path: string, sender: Sender])[] {
  return [
    ...[...tools].flatMap(([name, { run }]): (readonly [string, Sender])[] =>
      run && run.kind !== "mcp" ? [[`/tools/${name}/run`, run]] : [],
    ),
    ...Object.entries(mcpServers).map(([name, server]) => [`/mcpServers/${name}`, server] as const),
  ];
}
