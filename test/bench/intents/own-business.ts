/**
 * Which sentences of the public sets are a shipped policy's own business, by the policy's descriptions and tools: a request to put a meeting
 * into the calendar is not unrelated to a policy that has a calendar. Written before any result was looked at, and not changed for one.
 * A sentence may unlock the intents that are listed with its label; any other that it unlocks counts.
 */
interface Business {
  readonly intents: readonly string[];
  /** Labels of CLINC150 and BANKING77. */
  readonly labels: readonly string[];
  readonly why: string;
}

/** Facts of the world, which somebody who is asked would look up. */
const facts =
  "weather traffic flight_status exchange_rate restaurant_reviews restaurant_suggestion travel_suggestion travel_alert international_visa vaccines plug_type definition nutrition_info calories recipe meal_suggestion ingredients_list ingredient_substitution cook_time food_last fun_fact next_holiday distance directions timezone oil_change_how tire_change jump_start improve_credit_score carry_on".split(
    " ",
  );
const lists = "shopping_list shopping_list_update todo_list todo_list_update reminder reminder_update".split(" ");

const study: readonly Business[] = [
  { intents: ["TRANSLATE"], labels: ["translate"], why: "translate a text" },
  {
    intents: ["EXPLAIN_GRAMMAR"],
    labels: ["definition", "spelling"],
    why: "explain language concepts: what a word means, and how it is spelt",
  },
];

const businesses: Readonly<Record<string, readonly Business[]>> = {
  "app-orchestrator": [
    {
      intents: ["CALENDAR"],
      labels: "calendar calendar_update schedule_meeting meeting_schedule reminder reminder_update".split(" "),
      why: "put a meeting or another event in the calendar; a reminder is an event",
    },
  ],
  "coding-agent": [{ intents: ["LOOK_UP"], labels: facts, why: "find something out on the web" }],
  "customer-desk": [
    {
      intents: ["LOOK_UP"],
      labels: "next_holiday date calendar meeting_schedule".split(" "),
      why: "find out about dates; it lists holidays and free slots",
    },
    {
      intents: ["HANDLE"],
      labels: "request_refund Refund_not_showing_up transaction_charged_twice".split(" "),
      why: "pay back",
    },
    {
      intents: ["HANDLE"],
      labels:
        "order_physical_card get_physical_card lost_or_stolen_card compromised_card terminate_account cancel_transfer edit_personal_details report_lost_card damaged_card report_fraud new_card order_checks freeze_account".split(
          " ",
        ),
      why: "a customer wants a card, an account or a payment acted upon, which a desk opens a ticket for",
    },
  ],
  default: [
    {
      intents: ["TAKE_NOTE"],
      labels: lists,
      why: "write something down, or find what was written down: lists, reminders",
    },
    { intents: ["RESEARCH"], labels: facts, why: "find something out on the web; the weather is one of its tools" },
  ],
  "intent-guard": [
    { intents: ["network_research", "browser_access"], labels: facts, why: "research on the net" },
    {
      intents: ["memory_ops"],
      labels: [...lists, "user_name", "change_user_name"],
      why: "save something in the memory, or find it there; tasks too",
    },
  ],
  "study-agent": study,
  "study-agent-managed": study,
};

/** Intents of the policy that a sentence with this label may unlock. */
export const ownBusiness = (policy: string, label: string): readonly string[] =>
  (businesses[policy] ?? []).filter(({ labels }) => labels.includes(label)).flatMap(({ intents }) => intents);
