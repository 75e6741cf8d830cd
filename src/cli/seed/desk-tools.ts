/** The tools that the desk's frontend sends with each message. */
const text = { type: "string" };

const tool = (name: string, description: string, properties: Readonly<Record<string, object>>) => ({
  type: "function",
  function: {
    name,
    description,
    parameters: { type: "object", properties, required: Object.keys(properties), additionalProperties: false },
  },
});

export const deskTools = [
  tool("search_orders", "Find the orders of a customer", { customer: text }),
  tool("read_order", "Read one order", { id: text }),
  tool("read_mail", "Read a mail in the desk's mailbox", { id: text }),
  tool("search_web", "Search the web", { query: text }),
  tool("create_note", "Keep a note about a customer", { title: text, text }),
  tool("send_mail", "Send a mail", { to: text, subject: text, body: text }),
  tool("change_address", "Change where an order goes", { order: text, address: text }),
  tool("refund", "Pay a customer back", { order: text, amount: { type: "number" } }),
  tool("cancel_order", "Cancel an order", { id: text, reason: text }),
  tool("delete_customer", "Delete a customer and all that is known of them", { email: text }),
  tool("export_customers", "Send a list of all customers", { to: text }),
];
