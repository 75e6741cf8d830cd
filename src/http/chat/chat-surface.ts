/** `POST /v1/chat/completions`: the format that the gateway works in. */
import { err, ok } from "../../lib/result.ts";
import { readChatRequest } from "../../wire/chat-request.ts";
import { problemOf } from "../problem.ts";
import type { Surface } from "../surface/surface.ts";
import { chatFormat } from "./chat-format.ts";

export const chatSurface: Surface = {
  read(body, { keptNumbers }) {
    const chat = readChatRequest(body, keptNumbers);
    return chat.ok ? ok({ chat: chat.value, user: body.user, format: chatFormat }) : err(problemOf(chat.error));
  },
};
