/** What a person does on the page, and what the API is told of it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApprovalView } from "../../src/api-views/approval-views.ts";
import { desktop, hasChromium, phone } from "./chromium.ts";
import { pressApprove, readToTheEnd } from "./press-approve.ts";
import { approval, argument, gates, gnorm, grants, mail, outline, reply } from "./sample-approvals.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  if (hasChromium) stage = await openStage();
});
afterAll(async () => stage?.close());

const waitingFor = (...all: readonly ApprovalView[]) => ({
  on: (options = phone) =>
    stage.enter(options, ({ approvals }) => {
      for (const one of all) approvals.set(one.id, one);
    }),
});

describe.skipIf(!hasChromium)("an answer", () => {
  test("approves, tells so, and moves the focus to the next call", async () => {
    const [note, letter] = [outline(), mail()];
    const { page, fake } = await waitingFor(note, letter).on();
    const card = page.getByRole("article", { name: /Ricoeur/ });
    await pressApprove(card);
    await card.waitFor({ state: "detached" });
    expect(fake.answers).toEqual([{ id: note.id, body: { action: "approve" } }]);
    await page.getByRole("status").filter({ hasText: "Approved: update_note." }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("data-approval"))).toBe(letter.id);
    await expect.poll(() => page.title()).toBe("(1) Waiting · Toolgate");
  });

  test("endorses the message that a value stands in, where the person ticks the box", async () => {
    for (const ticks of [true, false]) {
      const one = reply();
      const { page, fake } = await waitingFor(one).on();
      const card = page.getByRole("article");
      if (ticks) await card.getByRole("checkbox", { name: /^Also accept other addresses/ }).check();
      await pressApprove(card);
      await card.waitFor({ state: "detached" });
      const body = ticks ? { action: "approve", endorse: true } : { action: "approve" };
      expect(fake.answers).toEqual([{ id: one.id, body }]);
    }
  });

  test("denies with the person's own words", async () => {
    const letter = mail();
    const { page, fake } = await waitingFor(letter).on();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByLabel("Why not?").fill("  Not before Monday.  ");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    expect(fake.answers).toEqual([{ id: letter.id, body: { action: "deny", reason: "Not before Monday." } }]);
  });

  test("that somebody else gave, and that cannot be looked at just now, is called no other", async () => {
    const { page, fake } = await waitingFor(mail()).on();
    const message = "an answer stands: look at it with GET";
    fake.next = { status: 409, body: { error: { code: "approval_settled", message } } };
    await page.route(/approvals\/appr_/, (route) =>
      route.request().method() === "GET" ? route.abort() : route.fallback(),
    );
    await pressApprove(page.getByRole("article"));
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
  });

  test("offers the undo of one's own calls alone: of others' the page could not say whether there is one", async () => {
    const ran = { status: "approved", settled_by: "dec_1", answered_at: new Date().toISOString() } as const;
    const [own, other] = [approval({ tool: "own", ...ran }), approval({ tool: "other", user: "bob", ...ran })];
    const { page } = await stage.enter(
      desktop,
      (fake) => {
        for (const one of [own, other]) fake.approvals.set(one.id, one);
        fake.me = { ...fake.me, role: "admin", sees_tenant: true };
      },
      "/console/approvals/answered",
    );
    await page.getByLabel("Everybody's").check();
    const row = (tool: string) => page.getByRole("listitem").filter({ hasText: tool });
    await row("other").getByText("bob").waitFor();
    const offered = (tool: string) => row(tool).getByText("Undo", { exact: true }).count();
    expect([await offered("own"), await offered("other")]).toEqual([1, 0]);
  });

  test("given before is told by the tool and its first argument", async () => {
    const ran = { tool: "delete_file", status: "denied", answered_at: new Date().toISOString() } as const;
    const first = (value: string) => ({
      ...approval(ran).details,
      arguments: [argument("path", value)],
    });
    const { page } = await stage.enter(
      desktop,
      ({ approvals }) => {
        for (const name of ["a.txt", "b.txt"]) {
          const one = approval({ ...ran, details: first(name) });
          approvals.set(one.id, one);
        }
      },
      "/console/approvals/answered",
    );
    await page.getByRole("listitem").nth(1).waitFor();
    const lines = await page.locator(".call-line").allInnerTexts();
    expect(lines.map((line) => line.replace(/\s+/g, " ")).sort()).toEqual([
      "delete_file path: a.txt",
      "delete_file path: b.txt",
    ]);
  });

  test("edits what was changed and nothing else; what is hidden stays", async () => {
    const note = outline();
    const { page, fake } = await waitingFor(note).on();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit before it runs" });
    expect(await form.getByText("Hidden. It stays as it is.").count()).toBe(1);
    await form.getByLabel("section").fill("Section 3.4: Distance");
    await form.getByLabel("tags, 2").fill("distance");
    await form.getByRole("button", { name: "Add one tags" }).click();
    await form.getByLabel("tags, 3").fill("method");
    await form.getByLabel("pinned").selectOption("Yes");
    await form.getByLabel("position").fill("5");
    await form.getByRole("button", { name: "Leave out colour" }).click();
    await form.getByRole("button", { name: "Approve as edited" }).click();
    await form.waitFor({ state: "detached" });
    const changed = {
      section: "Section 3.4: Distance",
      tags: ["ricoeur", "distance", "method"],
      pinned: true,
      place: { folder: "Chapters", position: 5 },
    };
    expect(fake.answers).toEqual([{ id: note.id, body: { action: "edit", arguments: changed, unset: ["colour"] } }]);
  });

  test("what was hidden can be replaced, and an empty value given", async () => {
    const { page, fake } = await waitingFor(outline()).on();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Replace owner_email" }).click();
    await page.getByLabel("owner_email").fill("ada@example.org");
    await page.getByRole("button", { name: "Set to nothing tags" }).click();
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByRole("form").waitFor({ state: "detached" });
    expect(fake.answers[0]?.body).toEqual({
      action: "edit",
      arguments: { owner_email: "ada@example.org", tags: null },
    });
  });

  test("sends no form that is wrong, and says at which field the gateway found fault", async () => {
    const { page, fake } = await waitingFor(outline()).on();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByText("Nothing is changed yet.").waitFor();
    await page.getByLabel("priority").fill("high");
    await page.getByText("Write a whole number.").or(page.getByText("Write a number.")).waitFor();
    expect(await page.getByLabel("priority").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("priority").fill("9");
    const errors = [{ path: "/priority", message: "must be 5 or less" }];
    fake.next = { status: 400, body: { error: { message: "do not fit", code: "arguments_invalid", errors } } };
    await page.getByRole("button", { name: "Approve as edited" }).click();
    await page.getByText("must be 5 or less").waitFor();
    expect(await page.getByLabel("priority").getAttribute("aria-describedby")).toMatch(/\/priority-problem$/);
    expect(fake.answers).toEqual([]);
  });

  test("gives a grant, after the sentence that says what is given", async () => {
    const note = outline();
    const { page, fake } = await waitingFor(note).on();
    await page.getByRole("button", { name: "Always allow" }).click();
    const given = page.locator(".given");
    expect(await given.textContent()).toBe("update_note will run without asking you in this conversation.");
    await page.getByLabel("30 days").check();
    await page.getByLabel("note_id is “note_7c2”").check();
    expect(await given.textContent()).toBe(
      "update_note will run without asking you for the next 30 days, only if note_id is “note_7c2”.",
    );
    // What is hidden can be no condition.
    expect(await page.getByLabel(/owner_email/).count()).toBe(0);
    await page.getByRole("button", { name: "Approve and allow" }).click();
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    const grant = { until: "30d", arguments: { note_id: { equals: "note_7c2" } } };
    expect(fake.answers).toEqual([{ id: note.id, body: { action: "approve", grant } }]);
  });

  test("shows the line breaks of a value that a grant is bound to", async () => {
    const { page } = await waitingFor(approval({ tool: "write", arguments: { content: "one\ntwo" } })).on();
    await page.getByRole("button", { name: "Always allow" }).click();
    await page.getByLabel("content is “one\\ntwo”").check();
    expect(await page.locator(".given").textContent()).toContain("only if content is “one\\ntwo”");
  });

  test("offers neither edit nor grant where the gateway offers none", async () => {
    const { page } = await waitingFor(gnorm()).on();
    await page.getByRole("button", { name: "Approve" }).waitFor();
    expect(await page.getByRole("button", { name: /Edit|Always/ }).count()).toBe(0);
  });

  test("that comes too late shows what became of the call", async () => {
    const note = outline();
    const { page, fake } = await waitingFor(note).on();
    const card = page.getByRole("article");
    await card.waitFor();
    const answer = { action: "deny", via: "api", by: "ben", reason: null } as const;
    fake.approvals.set(note.id, { ...note, status: "denied", answer, answered_at: new Date().toISOString() });
    fake.next = { status: 409, body: { error: { message: "answered", code: "approval_settled" } } };
    await pressApprove(card);
    await page
      .getByRole("status")
      .filter({ hasText: /Already denied by ben at .*\. Your yes did not count\./ })
      .waitFor();
    await card.getByText(/^Already denied by ben at /).waitFor();
    expect(await card.getByRole("button", { name: "Approve" }).count()).toBe(0);
  });

  test("that is refused leaves the call waiting, and says why", async () => {
    const { page, fake } = await waitingFor(outline()).on();
    fake.next = { status: 503, body: { error: { message: "the objects cannot be reached", code: "x" } } };
    await pressApprove(page.getByRole("article"));
    await page.getByRole("alert").filter({ hasText: "the objects cannot be reached" }).waitFor();
    expect(await page.getByRole("article").count()).toBe(1);
  });

  test("is not taken from a call that has just moved under the finger", async () => {
    const { page, fake } = await waitingFor(outline()).on();
    const card = page.getByRole("article", { name: /Ricoeur/ });
    const approve = card.getByRole("button", { name: "Approve" });
    await readToTheEnd(card);
    await approve.click({ trial: true });
    // A finger that comes down in the very moment in which the other call pushes this one away.
    await approve.evaluate((button: HTMLElement) => {
      const list = button.closest(".cards");
      if (list) new MutationObserver(() => button.click()).observe(list, { childList: true });
    });
    fake.tell(gnorm());
    await page.getByRole("article").nth(1).waitFor();
    expect(fake.answers).toEqual([]);
    await approve.click();
    await expect.poll(() => fake.answers.length).toBe(1);
  });
});

describe.skipIf(!hasChromium)("what is approved has been in view", () => {
  const sent = { to: "ann@example.org", body: "The code is 4711.", log: "line\n".repeat(60) };
  const letter = () =>
    approval({
      tool: "send_mail",
      question: "Send to `ann@example.org`?",
      details: {
        arguments: [argument("to", sent.to), argument("body", sent.body, { private: true }), argument("log", "line…")],
      },
      arguments: sent,
    });

  test("a private value and a long one are opened first, by one button or one by one", async () => {
    const { page, fake } = await waitingFor(letter()).on();
    const card = page.getByRole("article");
    await card.waitFor();
    expect(await card.getByText("4711").count()).toBe(0);
    // A grant would approve it, too.
    expect(await card.getByRole("button", { name: /^Approve|Always/ }).count()).toBe(0);
    await card.getByRole("button", { name: "Reveal body" }).click();
    await card.getByText("The code is 4711.").waitFor();
    await card.getByRole("button", { name: "Show everything" }).click();
    await card.getByRole("button", { name: "Approve" }).waitFor();
    expect(fake.answers).toEqual([]);
    await pressApprove(card);
    await expect.poll(() => fake.answers.map(({ body }) => body)).toEqual([{ action: "approve" }]);
  });

  test("a second press on the button that shows everything approves nothing", async () => {
    const { page, fake } = await waitingFor(letter()).on();
    await page.getByRole("button", { name: "Show everything" }).dblclick();
    await page.getByText("The code is 4711.").waitFor();
    expect(fake.answers).toEqual([]);
  });

  test("may be denied unseen", async () => {
    const { page, fake } = await waitingFor(letter()).on();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.keyboard.press("Enter");
    await expect.poll(() => fake.answers.map(({ body }) => body)).toEqual([{ action: "deny" }]);
  });
});

describe.skipIf(!hasChromium)("a first use", () => {
  test.each([true, false])("is for this call alone, unless the person enables the tool: %s", async (enables) => {
    const { page, fake } = await waitingFor(gnorm()).on();
    if (enables) await page.getByLabel("Also enable gnorm_annotate for this conversation").check();
    await pressApprove(page.getByRole("article"));
    const body = { action: "approve", ...(enables ? { enable: true } : {}) };
    await expect.poll(() => fake.answers.map((one) => one.body)).toEqual([body]);
  });
});

describe.skipIf(!hasChromium)("live", () => {
  test("a call shows up by itself; answered elsewhere it stays for who is at it, until they move on", async () => {
    const { page, fake } = await waitingFor().on();
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const note = outline();
    fake.tell(note);
    await page.getByRole("article", { name: /Ricoeur/ }).waitFor();
    // Heard, not seen: the call itself is what is seen.
    await expect.poll(() => page.locator(".announcer").textContent()).toBe("New: update_note waits for your answer.");
    expect(await page.title()).toBe("(1) Waiting · Toolgate");
    await page.getByRole("article").focus();
    fake.tell({ ...note, status: "cancelled" });
    await page.getByRole("article").getByText("update_note waits no more: the conversation went on").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("heading");
  });

  test("says that it is offline, and comes back with what was missed", async () => {
    const [note, letter] = [outline(), mail()];
    const { page, fake } = await waitingFor(note).on();
    await page.getByText("Live", { exact: true }).waitFor();
    fake.setDown(true);
    await page.getByRole("alert").filter({ hasText: "No connection." }).waitFor();
    await pressApprove(page.getByRole("article"));
    await page.getByRole("alert").filter({ hasText: "The gateway does not answer." }).waitFor();
    fake.approvals.delete(note.id);
    fake.approvals.set(letter.id, letter);
    fake.setDown(false);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("article", { name: /Lindqvist|lindqvist/ }).waitFor();
    await page.getByRole("article").getByText("update_note waits no more").waitFor();
  });

  test("takes the page of a network that wants a sign-in first for no connection, and comes back after it", async () => {
    const note = outline();
    const { page, fake } = await stage.enter(phone, (one) => {
      one.portal = true;
      one.approvals.set(note.id, note);
    });
    await page.getByRole("button", { name: "Try again" }).waitFor();
    fake.portal = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("article").waitFor();
    fake.portal = true;
    fake.cut();
    await page.getByRole("alert").filter({ hasText: "No connection." }).waitFor();
    fake.portal = false;
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test.each([3600, -3600])(
    "counts the gateway's time, not that of a device whose clock is %i s ahead",
    async (ahead) => {
      const [open, over] = [approval({ tool: "brief" }, 120), approval({ tool: "over" }, -60)];
      const { page } = await waitingFor(open, over).on();
      await page.addInitScript((ms) => {
        const real = Date.now;
        Date.now = () => real() + ms;
      }, ahead * 1000);
      await page.reload();
      await page
        .getByRole("article")
        .getByText(/^1 min \d+ s left$/)
        .waitFor();
      expect(await page.getByRole("article").count()).toBe(1);
    },
  );

  test("asks every few seconds where there is no stream", async () => {
    const { page, fake } = await stage.enter(phone, (one) => {
      one.streams = false;
    });
    await page.getByText("Every few seconds").waitFor();
    const note = outline();
    fake.approvals.set(note.id, note);
    await page.getByRole("article", { name: /Ricoeur/ }).waitFor();
  });

  test("a question whose time is up waits no more", async () => {
    const brief = approval({ tool: "brief" });
    const { page, fake } = await waitingFor(brief).on();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByRole("article").waitFor();
    // Near only now: how long a page takes to be shown is the machine's affair.
    fake.tell({ ...brief, expires_at: new Date(Date.now() + 1_000).toISOString() });
    await page.getByRole("heading", { name: "Nothing waits for you." }).waitFor();
  });
});

describe.skipIf(!hasChromium)("by keyboard", () => {
  test("keys go from call to call and answer the one that has the focus", async () => {
    const [urgent, letter] = [gnorm(), mail()];
    const { page, fake } = await waitingFor(urgent, letter).on(desktop);
    // Until the list rests, no answer is taken: neither by a finger nor by a key.
    await page.getByRole("button", { name: "Deny" }).first().click({ trial: true });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-approval"));
    // Nothing has the focus: nothing is answered.
    await page.keyboard.press("a");
    await page.keyboard.press("j");
    expect(await focused()).toBe(urgent.id);
    await page.keyboard.press("j");
    expect(await focused()).toBe(letter.id);
    await page.keyboard.press("k");
    expect(await focused()).toBe(urgent.id);
    await page.keyboard.press("j");
    await page.keyboard.press("d");
    // In a field letters are letters.
    await page.keyboard.type("a dead end");
    expect(await page.getByLabel("Why not?").inputValue()).toBe("a dead end");
    expect(fake.answers).toEqual([]);
    await page.keyboard.press("Enter");
    await expect.poll(() => fake.answers.map(({ id }) => id)).toEqual([letter.id]);
    await expect.poll(focused).toBe(urgent.id);
    await page.getByRole("button", { name: "Approve" }).click({ trial: true });
    await page.keyboard.press("a");
    await expect.poll(() => fake.answers.map(({ id }) => id)).toEqual([letter.id, urgent.id]);
  });

  test("what stands below the screen is brought there by the first press, and answered by the next", async () => {
    const note = outline();
    const { page, fake } = await waitingFor(note).on({ ...desktop, viewport: { width: 1280, height: 400 } });
    const approve = page.getByRole("button", { name: "Approve" });
    await expect.poll(() => approve.getAttribute("aria-disabled")).toBe("false");
    await page.keyboard.press("j");
    const seen = () => approve.evaluate((one) => one.getBoundingClientRect().bottom <= window.innerHeight);
    expect(await seen()).toBe(false);
    await page.keyboard.press("a");
    await expect.poll(seen).toBe(true);
    expect(fake.answers).toEqual([]);
    // The page itself learns a frame later that the question is in view.
    await page.locator(".ask:not(.unread)").waitFor();
    await page.keyboard.press("a");
    await expect.poll(() => fake.answers.map(({ id }) => id)).toEqual([note.id]);
  });

  test("tab reaches everything in the order of reading, and ? tells the keys", async () => {
    const { page } = await waitingFor(outline()).on(desktop);
    await page.getByRole("article").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("article").focus();
    const reached: string[] = [];
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement?.textContent ?? ""));
    }
    expect(reached).toEqual(["As JSON", "Learn more", "Deny", "Change", "Edit", "Always allow\u00a0…"]);
    await page.keyboard.press("Enter");
    await page.getByText("For how long?").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("radio");
  });
});

describe.skipIf(!hasChromium)("the other pages", () => {
  test("a grant and a gate are withdrawn", async () => {
    const { page, fake } = await stage.enter(
      phone,
      (one) => {
        one.grants = grants;
        one.gates = gates;
      },
      "/console/approvals/allowed",
    );
    await page.getByRole("button", { name: "Withdraw create_note" }).click();
    await page.getByRole("status").filter({ hasText: "Withdrawn: create_note." }).waitFor();
    await page.getByRole("button", { name: "Withdraw gnorm_annotate" }).click();
    await expect.poll(() => fake.withdrawn).toEqual(["/v1/grants/grant_1", "/v1/gates/gnorm_annotate"]);
  });

  test("an operator looks on, and denies", async () => {
    const letter = { ...mail(), user: "eve" };
    const { page, fake } = await stage.enter(phone, (one) => {
      one.approvals.set(letter.id, letter);
      one.me = { ...one.me, role: "admin", sees_tenant: true };
    });
    await page.getByLabel("Everybody's").check();
    await page.getByText("asked of eve").waitFor();
    expect(await page.getByRole("button", { name: /Approve|Edit|Always/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    await expect.poll(() => fake.answers).toEqual([{ id: letter.id, body: { action: "deny" } }]);
  });

  test("what an assistant wrote is text, whatever it looks like", async () => {
    const html = "<img src=x onerror=alert(1)><script>alert(1)</script>";
    const hostile = approval({
      tool: html,
      question: html,
      details: {
        summary: html,
        effects: [{ kind: "note", text: html }],
        arguments: [argument(html, html)],
      },
      arguments: { [html]: html },
    });
    const { page, complaints } = await waitingFor(hostile).on();
    await page.getByRole("article").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await page.locator("article img, article script").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
