/** The tools and the plans of reference/intent-analysis-planner.md. */
import type { PlanTool, PlanTools } from "../../src/plan/plan.ts";

const object = (properties: Record<string, unknown>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const text = { type: "string" };

const tools: readonly PlanTool[] = [
  {
    name: "fetch_emails",
    description: "Fetch emails from the inbox, by sender, subject or date",
    category: "read_only",
    connections: ["google-mail-ynxw"],
    parameters: object(
      {
        operation: { type: "string", enum: ["fetch"] },
        filters: object({ sender: text, subject: text, date: { type: "string", description: "a day, or `today`" } }),
      },
      ["operation"],
    ),
  },
  {
    name: "send_email",
    description: "Send an email to somebody",
    category: "external",
    destination: "Gmail, and the people the message is addressed to",
    connections: ["google-mail-ynxw"],
    parameters: object({ to: { type: "string", minLength: 3 }, subject: text, body: text }, ["to", "subject", "body"]),
  },
  {
    name: "fetch_entity",
    description: "Find leads, contacts or opportunities",
    category: "read_only",
    connections: ["salesforce-ybzg"],
    parameters: object(
      {
        operation: { type: "string", enum: ["fetch"] },
        entityType: { type: "string", enum: ["Lead", "Contact", "Opportunity"] },
        filters: { type: "object" },
      },
      ["operation", "entityType"],
    ),
  },
  {
    name: "create_calendar_event",
    description: "Create a calendar event, a meeting or a follow-up",
    category: "external",
    destination: "Google Calendar",
    connections: ["google-calendar"],
    parameters: object(
      {
        title: { type: "string", minLength: 1 },
        startTime: { type: "string", description: "when it starts" },
        duration: { type: "integer", minimum: 5, description: "minutes" },
        attendees: { type: "array", items: { type: "string", format: "email" } },
      },
      ["title", "startTime"],
    ),
  },
];

export const referenceTools: PlanTools = new Map(tools.map((tool) => [tool.name, tool]));

export const toolsOf = (...given: readonly (Pick<PlanTool, "name"> & Partial<PlanTool>)[]): PlanTools =>
  new Map(given.map((tool) => [tool.name, { category: "external", connections: [], ...tool }]));

export const emailsFromJohn = {
  plan: [
    {
      id: "fetch_john_emails",
      intent: "Fetch emails from John",
      tool: "fetch_emails",
      arguments: { input: { operation: "fetch", filters: { sender: "john" } } },
    },
  ],
};

export const emailTheLead = {
  plan: [
    {
      id: "find_lead",
      intent: "Find the sales lead contact",
      tool: "fetch_entity",
      arguments: { input: { operation: "fetch", entityType: "Lead", filters: {} } },
    },
    {
      id: "send_proposal_email",
      intent: "Send proposal email to the lead",
      tool: "send_email",
      arguments: {
        input: {
          to: "{{find_lead.result.data[0].email}}",
          subject: "{{PLACEHOLDER_subject}}",
          body: "{{PLACEHOLDER_body}}",
        },
      },
    },
  ],
};

export const scheduleMeeting = {
  plan: [
    {
      id: "create_meeting",
      intent: "Create a calendar event",
      tool: "create_calendar_event",
      arguments: {
        input: {
          title: "{{PLACEHOLDER_meeting_title}}",
          startTime: "{{PLACEHOLDER_start_time}}",
          duration: "{{PLACEHOLDER_duration_minutes}}",
          attendees: ["{{PLACEHOLDER_attendee_email}}"],
        },
      },
    },
  ],
};

export const emailJohnTheReport = {
  plan: [
    {
      id: "find_john",
      intent: "Find John's contact information",
      tool: "fetch_entity",
      arguments: { input: { operation: "fetch", entityType: "Contact", filters: { name: "John" } } },
    },
    {
      id: "send_email",
      intent: "Send the sales report to John",
      tool: "send_email",
      arguments: {
        input: {
          to: "{{find_john.result.data[0].email}}",
          subject: "Sales Report",
          body: "{{PLACEHOLDER_email_body}}",
        },
      },
    },
  ],
};
