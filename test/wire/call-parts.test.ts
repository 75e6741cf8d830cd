import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callFault, callName, vendorMembers, wireCall } from "../../src/wire/call-parts.ts";

const evil = { name: "delete_file", arguments: "{}" };
const call = (more: object = {}, inside: object = {}) => ({
  index: 0,
  id: "c1",
  type: "function",
  function: { name: "write_file", arguments: '{"path":"ok.txt"}', ...inside },
  ...more,
});

describe("callFault", () => {
  it.each([
    call(),
    call({ type: "" }),
    call({ type: null, id: null, custom: null, input: "", Function: {} }),
    call({ vendor: { name: "x", id: 3 }, extra_content: { google: { thought_signature: "s" } } }),
    call({}, { description: "x", index: 0, id: "c1", type: "function" }),
    { index: 0, function: { arguments: "{" } },
  ])("finds nothing in %j", (value) => {
    expect(callFault(value)).toBeUndefined();
  });

  it.each([
    null,
    [],
    {},
    { function: [] },
    call({ type: "custom" }),
    call({ type: "Function" }),
    call({ custom: evil }),
    call({ Function: evil }),
    call({ ｆunction: evil }),
    call({ "func\u200btion": evil }),
    call({ name: "delete_file" }),
    call({ Name: "delete_file" }),
    call({ arguments: "{}" }),
    call({ input: {}, parameters: evil }),
    call({ "\u0131ndex": 1 }),
    call({ ID: "c2" }),
    call({ tool_calls: [evil] }),
    call({ vendor: [{ deep: { functionCall: evil } }] }),
    call({ vendor: { type: "tool_use" } }),
    call({}, { Name: "delete_file" }),
    call({}, { NAME: "delete_file", Arguments: "{}" }),
    call({}, { parameters: { path: "/" } }),
    call({ id: "\ud800" }),
    call({ id: "x".repeat(257) }),
    call({}, { name: "x".repeat(1025) }),
  ])("refuses %j", (value) => {
    expect(callFault(value)).toEqual(expect.any(String));
  });
});

describe("vendorMembers", () => {
  const listed = {
    extra_content: { google: { thought_signature: "a+/=" }, vertex: { thought_signature: "b" } },
    provider_specific_fields: { thought_signature: "c" },
    thought_signature: "d",
  };

  it("keeps the signatures that providers want back", () => {
    expect(vendorMembers(call(listed))).toEqual(listed);
    const { provider_specific_fields: fields } = listed;
    expect(vendorMembers(call({ provider_specific_fields: fields }))).toEqual({ provider_specific_fields: fields });
  });

  it.each([
    { vendor: "x", signature: "x", extra: [1] },
    { extra_content: { function: evil } },
    { extra_content: { google: { function: evil, thought_signature: { name: "x" } } } },
    { extra_content: { google: ["x"] } },
    { extra_content: "x" },
    { Extra_content: listed.extra_content },
    { thought_signature: "" },
    { thought_signature: "\ud800" },
    { thought_signature: "é" },
    { thought_signature: "x".repeat(64 * 1024 + 1) },
  ])("drops %j", (members) => {
    expect(vendorMembers(call(members))).toBeUndefined();
    expect(vendorMembers(members)).toBeUndefined();
  });

  it("drops_what_stands_beside_the_signatures", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (others) => {
        const { extra_content: kept } = listed;
        const google = { ...others, ...kept.google };
        const given = { ...others, extra_content: { ...others, google } };
        const { thought_signature: _own, provider_specific_fields: _litellm, ...read } = vendorMembers(given) ?? {};
        expect(read).toMatchObject({ extra_content: { google: kept.google } });
        expect(Object.keys(read)).toEqual(["extra_content"]);
      }),
    );
  });
});

it("callName tells the name of what is no function too", () => {
  expect([call(), { custom: { name: "f" } }, call({}, { name: " " }), { function: {} }, null].map(callName)).toEqual([
    "write_file",
    "f",
    undefined,
    undefined,
    undefined,
  ]);
});

it("wireCall lets out what was vetted, also of a call that an older version stored", () => {
  const stored = { Function: evil, name: "delete_file", thought_signature: "s" };
  expect(wireCall({ id: "c1", tool: "write_file", arguments: "{}", extra: stored })).toEqual({
    id: "c1",
    type: "function",
    function: { name: "write_file", arguments: "{}" },
    thought_signature: "s",
  });
});
