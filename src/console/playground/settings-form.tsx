/** Settings of the conversation: user, model, mode and tools. Folded into one line during the conversation. */
import type { Signal } from "@preact/signals";
import { me } from "../sign-in/me.ts";
import { readTools, type Settings } from "./chat.ts";
import { texts } from "./texts.ts";

export interface Choices {
  /** Restarts the page, because another tenant has another policy. */
  readonly onTenant: (tenant: string) => void;
  readonly roles: readonly string[];
  readonly modes: readonly string[];
}

interface SettingsFormProps extends Choices {
  readonly settings: Settings;
  readonly isOpen: Signal<boolean>;
  readonly onChange: (settings: Settings) => void;
  /** Changes the user and starts a new conversation, because a conversation belongs to one user. */
  readonly onFresh: (settings: Settings) => void;
}

export function SettingsForm({ settings, isOpen, roles, modes, onTenant, onChange, onFresh }: SettingsFormProps) {
  const tools = readTools(settings.tools);
  const self = me.value;
  return (
    <details
      class="padded"
      open={isOpen.value}
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>
        <span class="nowrap">{texts.settings}</span>{" "}
        <span class="hint">
          {texts.chosen(
            settings.user || (self?.user ?? ""),
            settings.role || (self?.role ?? ""),
            settings.model,
            tools?.length ?? 0,
          )}
        </span>
      </summary>
      <div class="stacked">
        {self?.operator && (
          <label>
            {texts.tenant}
            <input
              value={settings.tenant}
              autocomplete="off"
              onChange={({ currentTarget }) => onTenant(currentTarget.value.trim() || self.tenant)}
            />
          </label>
        )}
        <div class="pair">
          <label>
            {texts.user}
            <input
              value={settings.user}
              placeholder={self?.user}
              autocomplete="off"
              onChange={({ currentTarget }) => onFresh({ ...settings, user: currentTarget.value.trim() })}
            />
          </label>
          <Choice
            label={texts.role}
            value={settings.role || (self?.role ?? "")}
            names={roles}
            onChoose={(role) => onFresh({ ...settings, role })}
          />
        </div>
        {(settings.user + settings.role !== "" || settings.tenant !== self?.tenant) && (
          <p class="hint">{texts.acting}</p>
        )}
        <div class="pair">
          <label>
            {texts.model}
            <input
              value={settings.model}
              onInput={({ currentTarget }) => onChange({ ...settings, model: currentTarget.value })}
            />
          </label>
          <Choice
            label={texts.mode}
            value={settings.mode}
            names={["", ...modes]}
            onChoose={(mode) => onChange({ ...settings, mode })}
          />
        </div>
        <label>
          {texts.tools}
          <textarea
            rows={3}
            class="mono"
            value={settings.tools}
            aria-invalid={tools === undefined}
            onInput={({ currentTarget }) => onChange({ ...settings, tools: currentTarget.value })}
          />
        </label>
        {!tools && <p class="note warn">{texts.badTools}</p>}
        <button type="button" class="button" onClick={() => onFresh(settings)}>
          {texts.fresh}
        </button>
      </div>
    </details>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** The text of the choice "": the default. */
  readonly names: readonly string[];
  readonly onChoose: (name: string) => void;
}

const Choice = ({ label, value, names, onChoose }: ChoiceProps) => (
  <label>
    {label}
    <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {names.map((name) => (
        <option key={name} value={name}>
          {name === "" ? texts.asUsual : name}
        </option>
      ))}
    </select>
  </label>
);
