/** The page of tools: tools of the policy, tools of requests that no policy names, and MCP servers with accepted and current definitions. */
import { useSignal } from "@preact/signals";
import type { ListOf } from "../../api-views/approval-views.ts";
import type { SeenToolView } from "../../api-views/policy-views.ts";
import { call, type Failure } from "../api/call.ts";
import { ActIcon } from "../parts/act-icon.tsx";
import { Ago, Pill, Table, type Tone } from "../parts/parts.tsx";
import { useApi } from "../parts/use-api.ts";
import { takingAddress } from "../policies/policy-address.ts";
import { announce } from "../shell/announcer.tsx";
import { FailureNote, PageHeading, SkeletonRows } from "../shell/page-parts.tsx";
import { when } from "../texts/texts.ts";
import { PolicyTools } from "./policy-tools.tsx";
import { texts } from "./texts.ts";

interface McpServer {
  readonly server: string;
  readonly in_policy: boolean;
  readonly url: string | null;
  readonly listed_at: string | null;
  readonly error: { readonly message: string } | null;
  readonly tools: readonly McpTool[];
}

interface McpTool {
  readonly tool: string;
  readonly state: string;
  readonly reason: string | null;
  readonly digest: string | null;
  readonly seen_digest: string | null;
  readonly suspicious: boolean;
  readonly accepted: unknown;
  readonly seen: unknown;
}

export function ToolsPage() {
  const seen = useApi<ListOf<SeenToolView>>("/admin/tools/seen");
  const servers = useApi<ListOf<McpServer>>("/admin/mcp");
  return (
    <>
      <PageHeading>{texts.title}</PageHeading>
      <PolicyTools />
      <section class="halves-section">
        <h2>{texts.unlisted}</h2>
        <p class="hint">{texts.unlistedLead}</p>
        {seen.failure.value && <FailureNote failure={seen.failure.value} retry={seen.reload} />}
        {seen.loading.value && !seen.value.value && <SkeletonRows />}
        {seen.value.value && <Unlisted tools={seen.value.value.data} />}
      </section>
      <section class="halves-section">
        <h2>{texts.servers}</h2>
        {servers.failure.value && <FailureNote failure={servers.failure.value} retry={servers.reload} />}
        {servers.loading.value && !servers.value.value && <SkeletonRows />}
        {servers.value.value?.data.length === 0 && <p class="lead">{texts.noServers}</p>}
        {servers.value.value?.data.map((server) => (
          <Server key={server.server} server={server} onChange={servers.reload} />
        ))}
      </section>
    </>
  );
}

function Unlisted({ tools }: { readonly tools: readonly SeenToolView[] }) {
  if (tools.length === 0) return <p class="lead">{texts.noUnlisted}</p>;
  return (
    <>
      <Table
        heads={[texts.tool, texts.guess, [texts.turns, "number"], [texts.withheld, "number"], texts.by, texts.last]}
      >
        {tools.map(({ name, turns, withheld, users, by, last_at, set }) => (
          <tr key={name}>
            <td>
              <span class="decision-line">
                <ActIcon tool={name} />
                <span class="mono">{name}</span>
              </span>
            </td>
            <td>
              <span class="mono">{set.category}</span>{" "}
              <a class="row-link nowrap" href={takingAddress([name])} aria-label={`${texts.take}: ${name}`}>
                {texts.take}
              </a>
            </td>
            <td class="number">{turns}</td>
            <td class="number">{withheld}</td>
            <td>
              {by.join(", ")}
              {users > by.length && ` +${users - by.length}`}
            </td>
            <td class="nowrap">
              <Ago at={last_at} />
            </td>
          </tr>
        ))}
      </Table>
      <p>
        <a class="button" href={takingAddress(tools.map(({ name }) => name))}>
          {texts.takeAll(tools.length)}
        </a>
      </p>
      <p class="hint">
        <code>{texts.draft}</code>
      </p>
    </>
  );
}

interface ServerProps {
  readonly server: McpServer;
  readonly onChange: () => void;
}

function Server({ server, onChange }: ServerProps) {
  const failure = useSignal<Failure | undefined>(undefined);
  const path = `/admin/mcp/${encodeURIComponent(server.server)}`;

  async function act(method: "POST" | "DELETE", rest: string, body: object | undefined, done: string): Promise<void> {
    const answer = await call<object>(`${path}${rest}`, { method, ...(body ? { body } : {}) });
    failure.value = answer.ok ? undefined : answer.error;
    if (!answer.ok) return;
    announce(done);
    onChange();
  }

  return (
    <article class="panel-box server">
      <div class="turn-head">
        <h3>
          {server.server} <span class="hint">{server.url}</span>
        </h3>
        {!server.in_policy && <Pill tone="wait">{texts.gone}</Pill>}
        <span>{server.listed_at ? texts.listed(when(server.listed_at)) : texts.never}</span>
        {server.in_policy ? (
          <button
            type="button"
            class="filter-pill"
            onClick={() => void act("POST", "/refresh", undefined, texts.refresh)}
          >
            {texts.refresh}
          </button>
        ) : (
          <button
            type="button"
            class="filter-pill"
            onClick={() => void act("DELETE", "", undefined, texts.forgotten(server.server))}
          >
            {texts.forget}
          </button>
        )}
      </div>
      {server.error && <p class="note warn">{server.error.message}</p>}
      {failure.value && <FailureNote failure={failure.value} />}
      {server.tools.map((tool) => (
        <Tool
          key={tool.tool}
          tool={tool}
          onAccept={(digest) =>
            void act("POST", `/tools/${encodeURIComponent(tool.tool)}/accept`, { digest }, texts.done(tool.tool))
          }
          onForget={() =>
            void act("DELETE", `/tools/${encodeURIComponent(tool.tool)}`, undefined, texts.forgotten(tool.tool))
          }
        />
      ))}
    </article>
  );
}

const TONES: Readonly<Record<string, Tone>> = { accepted: "go", changed: "grave", waiting: "wait" };

interface ToolProps {
  readonly tool: McpTool;
  readonly onAccept: (digest: string) => void;
  readonly onForget: () => void;
}

function Tool({ tool, onAccept, onForget }: ToolProps) {
  const { state, reason, digest, seen_digest: seenDigest, suspicious, accepted, seen } = tool;
  const differs = seen !== null && seenDigest !== digest;
  return (
    <details class="record" open={differs}>
      <summary>
        <ActIcon tool={tool.tool} />
        <strong class="mono">{tool.tool}</strong>
        <Pill tone={TONES[state] ?? "calm"}>{stateWords(state)}</Pill>
        {suspicious && <Pill tone="grave">{texts.suspicious}</Pill>}
        {reason && <span class="hint">{reason}</span>}
      </summary>
      <div class="pair wide padded">
        {accepted !== null && (
          <div>
            <p class="hint">{texts.accepted}</p>
            <Definition of={accepted} beside={differs ? seen : accepted} />
          </div>
        )}
        {differs && (
          <div>
            <p class="hint">{texts.seen}</p>
            <Definition of={seen} beside={accepted} />
          </div>
        )}
      </div>
      <p class="pills">
        {differs && seenDigest !== null && (
          <button type="button" class="filter-pill" onClick={() => onAccept(seenDigest)}>
            {texts.accept}
          </button>
        )}
        {seen === null && (
          <button type="button" class="filter-pill" onClick={onForget}>
            {texts.forget}
          </button>
        )}
      </p>
    </details>
  );
}

/** A definition with the lines marked that the other one does not have. */
function Definition({ of, beside }: { readonly of: unknown; readonly beside: unknown }) {
  const linesOf = (value: unknown) => JSON.stringify(value, null, 2).split("\n");
  // A comma at the end of a line only means that another line follows.
  const bare = (line: string) => line.replace(/,$/, "");
  const known = new Set(linesOf(beside).map(bare));
  return (
    <pre class="json">
      {linesOf(of).map((line, index) => {
        const text = `${line}\n`;
        return known.has(bare(line)) ? text : <mark key={`${index} ${line}`}>{text}</mark>;
      })}
    </pre>
  );
}

const stateWords = (state: string): string => (texts.state as Readonly<Record<string, string>>)[state] ?? state;
