/** What the gateway adds to a reply by itself, in English. Names stand as code; `{why}` and `{words}` are sentences. */
export const notes = {
  /** Before a sentence that does not name the gateway itself. */
  prefix: "Toolgate: {text}",
  /** Of calls that were decided elsewhere than in this chat. */
  elsewhere: {
    denied: "This was refused elsewhere; nothing was done.",
    expired: "Nobody answered in time; nothing was done.",
    refused: "Toolgate: not done, because it was refused elsewhere: {actions}.",
  },
  /** `asks` and `refusesAlone`: where the policy has its reason in other languages only. */
  condition: {
    asks: "⚠ The policy asks about a call like this one.",
    refuses: "the policy refuses {tool} with these arguments: {words}",
    refusesAlone: "the policy does not allow this use of {tool}.",
  },
  /** The question about an undo, what is said where none is made, and why. */
  undo: {
    title: "Undo {tool}{values}?",
    uses: "This uses {tool}.",
    nothing: "there is nothing here to undo.",
    questionFirst:
      "nothing is undone yet, the open question comes first. Answer it, then write `/toolgate undo` again.",
    not: "{tool} is not undone: {why}",
    cannot: "{tool} cannot be undone: {why}",
    pending: "its result has not come back yet.",
    failed: "it failed, so there is nothing to undo.",
    abandoned: "its result never came back, so it is not known whether it ran.",
    unknown: "what it would take is not known.",
  },
  /** A use of the tool is counted over a time; `shared`: with other tools. */
  limit: {
    own: "{tool} has reached its limit ({max} in {window}); the rest was not done. It works again in {time}.",
    shared:
      "{tool}, with all other tools of {group}, has reached its limit ({max} in {window}); the rest was not done. It works again in {time}.",
  },
  atMost: {
    turn: "{tool} has reached its limit ({max} in one reply); the rest was not done.",
    task: "{tool} has reached its limit ({max} for one message); the rest was not done.",
    session: "{tool} has reached its limit ({max} in one conversation); the rest was not done.",
  },
  /** What the user, or the conversation, lacks for a tool. */
  lack: {
    role: "the role {role} may not use {tool}, only {roles} may.",
    signIn: "{tool} needs a user who is signed in.",
    connection: "connect {connection} to use {tool}.",
    mode: "the mode {mode} does not permit {tool}.",
    intent:
      "{tool} is closed for now, because your message was heard as {intents}. Say in other words what you want to have done.",
    after: "{tool} can be used only once {tools} succeeded in this conversation.",
    neverAfter:
      "{tool} cannot be used any more in this conversation: results of {tools} are in it; begin a new conversation for this.",
  },
  refused: "{tool} is not allowed here.",
  answers: {
    asked: "{tool} needs your answer first.",
    denied: "{tool} was refused.",
    expired: "nobody answered in time about {tool}.",
    undone: "{tool} is undone already.",
  },
  /** The turn ends before the model has answered. */
  stopped: {
    unasked:
      "Toolgate stopped here: the assistant kept trying things that you did not ask for. Say in a new message what you want done.",
    forbidden: "Toolgate stopped here: the assistant kept trying what it may not do now.",
    steps: "Toolgate stopped here: the limit of {max} model calls in one turn was met. Write again to go on.",
  },
  /** What an intent of the policy requires was not there. */
  unmet: {
    preflight:
      "Toolgate did not begin: {intent} needs a tool of {families}, and none can be used here.\nBring such a tool and try again, or ask for something that can be done without it.",
    completion:
      "Toolgate ended the task as failed: {intent} requires that a tool of {families} succeeds, and none did.\nDo not rely on what was said without it. Try again, or ask for something that can be done without it.",
  },
};
