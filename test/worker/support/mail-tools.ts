/** Tools of a mailbox, as a client sends them: one reads what strangers wrote, one sends. */

const sendParameters = {
  type: "object",
  properties: { to: { type: "string" }, body: { type: "string" } },
  required: ["to"],
};
const noParameters = { type: "object", properties: {} };

export const toolDefinition = (name: string, parameters: unknown = noParameters) => ({
  type: "function",
  function: { name, description: "", parameters },
});

export const sendMail = toolDefinition("send_mail", sendParameters);
export const readMail = toolDefinition("read_mail");
