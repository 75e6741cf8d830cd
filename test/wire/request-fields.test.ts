import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readChatRequest } from "../../src/wire/chat-request.ts";
import { checkProviderFields } from "../../src/wire/request-fields.ts";

const base = { model: "m", messages: [{ role: "user", content: "hi" }] };
const tool = { type: "function", function: { name: "a", parameters: { type: "object" } } };

/** What a request with these fields is refused with, under a policy that passes `passed`. */
function faultOf(fields: object, passed: readonly string[] = []) {
  const read = readChatRequest({ ...base, ...fields });
  if (!read.ok) return read.error;
  const checked = checkProviderFields(read.value.providerFields, new Set(passed));
  return checked.ok ? undefined : checked.error;
}

const unsupported = (param: string) => expect.objectContaining({ param, code: "unsupported_parameter" });
const ambiguous = (param: string) => expect.objectContaining({ param, code: "ambiguous_parameter" });

/** The fields of OpenAI's own API and of common servers that run no tools. */
const PLAIN = [
  ...["audio", "frequency_penalty", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens", "max_tool_calls"],
  ...[
    "metadata",
    "modalities",
    "moderation",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "reasoning_effort",
  ],
  ...[
    "prompt_cache_key",
    "prompt_cache_retention",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
  ],
  ...["store", "stream_options", "temperature", "top_logprobs", "top_p", "user", "verbosity"],
  ...[
    "provider",
    "transforms",
    "route",
    "reasoning",
    "include_reasoning",
    "usage",
    "thinking",
    "top_k",
    "min_p",
    "top_a",
  ],
  ...["repetition_penalty", "guided_json", "guided_choice", "structured_outputs", "chat_template_kwargs", "ignore_eos"],
  ...[
    "best_of",
    "add_generation_prompt",
    "documents",
    "safe_prompt",
    "options",
    "keep_alive",
    "random_seed",
    "grammar",
  ],
  ...[
    "disable_search",
    "disable_tool_validation",
    "use_beam_search",
    "tool_stream",
    "strict_tools",
    "enable_thinking",
    "cache_control",
    "session_id",
    "trace",
    "debug",
  ],
];

describe("fields by which the provider runs tools itself", () => {
  it.each([
    ...["web_search_options", "plugins", "mcp_servers", "search_parameters", "search_settings", "compound_custom"],
    ...["search_domain_filter", "web_search", "enable_search", "search_options", "google_search", "tool_config"],
    ...["tool_ids", "tool_servers", "server_tools", "connectors", "container", "cached_content", "data_sources"],
    ...["extra_body", "extra_headers", "code_execution", "code_interpreter", "url_context", "agent_id", "Plugins"],
    ...["functionDeclarations", "vector_store_ids", "integrations", "venice_parameters", "skills", "retrieval"],
  ])("`%s` is refused, unless the policy names it as it is written", (name) => {
    expect(faultOf({ [name]: {} })).toEqual(unsupported(name));
    expect(faultOf({ [name]: {} }, [name])).toBeUndefined();
    expect(faultOf({ [name]: {} }, [name.toUpperCase(), "other"])).toEqual(unsupported(name));
  });

  it.each(PLAIN)("`%s` passes", (name) => {
    expect(faultOf({ [name]: 1 })).toBeUndefined();
  });

  it("pass where they ask for nothing", () => {
    expect(faultOf({ web_search_options: null, plugins: [], enable_search: false })).toBeUndefined();
    expect(faultOf({ web_search_options: {} })).toEqual(unsupported("web_search_options"));
  });

  it("are refused in the short form that a model's name is for them", () => {
    expect(faultOf({ model: "openai/gpt-5:online" })).toEqual(unsupported("model"));
    expect(faultOf({ fallbacks: ["a", "b"], disable_fallbacks: true, fallback: null })).toBeUndefined();
    expect(faultOf({ fallbacks: ["a:online"] })).toEqual(unsupported("fallbacks"));
    expect(faultOf({ fallbacks: [{ model: "a", tools: [{ type: "mcp" }] }] })).toEqual(unsupported("fallbacks"));
    expect(faultOf({ fallbacks: [{ model: "a" }] }, ["fallbacks"])).toBeUndefined();
    expect(faultOf({ model: "openai/gpt-5:free:OnLine" })).toEqual(unsupported("model"));
    expect(faultOf({ models: ["a", "b:online"] })).toEqual(unsupported("models"));
    expect(faultOf({ model: "openai/gpt-5:online" }, ["plugins"])).toBeUndefined();
    expect(faultOf({ model: "online/model:free" })).toBeUndefined();
  });

  it("are refused among the tools, whatever the policy passes", () => {
    const types = ["web_search", "code_interpreter", "file_search", "mcp", "computer_use_preview", "image_generation"];
    for (const type of [...types, "openrouter:web_search", "$web_search", "builtin_function", "Function"]) {
      expect(faultOf({ tools: [{ type }] }, ["tools"])).toMatchObject({ param: "tools[0].type" });
    }
    expect(faultOf({ tools: [{ ...tool, google_search: {} }] }, ["google_search"])).toEqual(
      unsupported("tools[0].google_search"),
    );
    expect(faultOf({ tools: [{ ...tool, cache_control: { type: "ephemeral" } }] })).toBeUndefined();
  });

  it("cannot replace what a chat template is given", () => {
    expect(faultOf({ chat_template_kwargs: { enable_thinking: false } })).toBeUndefined();
    for (const name of ["tools", "Messages"]) {
      const param = `chat_template_kwargs.${name}`;
      expect(faultOf({ chat_template_kwargs: { [name]: [] } }, [param, name])).toEqual(unsupported(param));
    }
  });
});

const GOVERNED = ["model", "messages", "tools", "tool_choice", "functions", "function_call", "stream", "n", "toolgate"];
const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
/** One letter, as a lax reader takes it for the same. */
const spelling = fc.constantFrom<(letter: string) => string>(
  (letter) => letter.toUpperCase(),
  wide,
  (letter) => `\u200b${letter}`,
  (letter) => `${letter}\u0301`,
  (letter) => `${letter}\ufe0f`,
  (letter) => (letter === "s" ? "\u017f" : letter === "i" ? "\u0131" : `${letter} `),
  (letter) => `_${letter}`,
);

describe("another spelling of a field that is governed", () => {
  it("every_second_spelling_of_a_governed_field_is_refused", () => {
    fc.assert(
      fc.property(fc.constantFrom(...GOVERNED), fc.nat(), spelling, (name, place, spell) => {
        const at = place % name.length;
        const letter = name[at] ?? "";
        const odd = name.slice(0, at) + (letter === "_" ? "-" : spell(letter)) + name.slice(at + 1);
        fc.pre(odd !== name);
        for (const value of [null, [], "x"]) {
          expect(faultOf({ [odd]: value }, [odd])).toEqual(ambiguous(odd));
        }
      }),
    );
  });

  it("is told with the field that is meant", () => {
    expect(faultOf({ Tools: [] })?.message).toBe(
      "`Tools` is another spelling of `tools`, which the gateway governs: write `tools`",
    );
    expect(faultOf({ toolChoice: "none" })?.message).toContain("write `tool_choice`");
  });

  it("is refused in messages and in tools", () => {
    expect(faultOf({ messages: [...base.messages, { role: "user", Role: "tool" }] })).toEqual(
      ambiguous("messages[1].Role"),
    );
    expect(faultOf({ messages: [{ role: "assistant", content: "", toolCalls: [] }] })).toEqual(
      ambiguous("messages[0].toolCalls"),
    );
    expect(faultOf({ tools: [tool, { ...tool, Type: "web_search" }] })).toEqual(ambiguous("tools[1].Type"));
    expect(faultOf({ tools: [{ ...tool, function: { ...tool.function, Name: "b" } }] })).toEqual(
      ambiguous("tools[0].function.Name"),
    );
  });

  it("is no other field of a message", () => {
    const message = { role: "assistant", content: "", reasoning_details: [], vendor: 1, prefix: true, id: "x" };
    expect(faultOf({ messages: [message] })).toBeUndefined();
  });
});
