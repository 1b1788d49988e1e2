/** Choosing access rules, grouped by plugin. Managing something includes reading it. */

import { useState } from "react";
import { gives } from "../access/rules";
import type { Rule } from "../api/types";
import { texts } from "../texts";
import { TextInput } from "../ui/input";
import { Tick } from "../ui/tick";

interface RulePickerProps {
  rules: readonly Rule[];
  chosen: readonly string[];
  empty: string;
  onChange: (chosen: string[]) => void;
}

const SEARCH_FROM = 10;

function groupByPlugin(rules: readonly Rule[]): [string, Rule[]][] {
  const plugins = [...new Set(rules.map((rule) => rule.plugin))];
  return plugins.map((plugin) => [plugin, rules.filter((rule) => rule.plugin === plugin)]);
}

function matches(rule: Rule, search: string): boolean {
  const words = search.toLowerCase();
  return `${rule.rule} ${rule.title}`.toLowerCase().includes(words);
}

export function RulePicker({ rules, chosen, empty, onChange }: RulePickerProps) {
  const [search, setSearch] = useState("");
  if (rules.length === 0) return <p className="text-muted">{empty}</p>;

  function toggle(names: string[], on: boolean): void {
    const others = chosen.filter((rule) => !names.includes(rule));
    onChange(on ? [...others, ...names] : others);
  }

  const shown = rules.filter((rule) => matches(rule, search));
  return (
    <div className="flex flex-col gap-2">
      {rules.length >= SEARCH_FROM && (
        <TextInput
          type="search"
          aria-label={texts.roles.searchRules}
          placeholder={texts.roles.searchRules}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {shown.length === 0 && <p className="py-2 text-muted">{texts.forms.noOptionMatches}</p>}
      {groupByPlugin(shown).map(([plugin, group]) => (
        <PluginRules key={plugin} plugin={plugin} rules={group} chosen={chosen} onToggle={toggle} />
      ))}
    </div>
  );
}

interface PluginRulesProps {
  plugin: string;
  rules: Rule[];
  chosen: readonly string[];
  onToggle: (names: string[], on: boolean) => void;
}

function PluginRules({ plugin, rules, chosen, onToggle }: PluginRulesProps) {
  const names = rules.map(({ rule }) => rule);
  const held = names.filter((rule) => gives(chosen, rule)).length;
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <Tick
        checked={held === names.length}
        partly={held > 0 && held < names.length}
        onChange={(on) => onToggle(names, on)}
        className="bg-hover"
      >
        <span className="flex-1 font-medium capitalize">{plugin}</span>
        <span className="text-xs text-muted">{texts.roles.selected(held, names.length)}</span>
      </Tick>
      <div className="grid sm:grid-cols-2">
        {rules.map(({ rule, title }) => (
          <Tick
            key={rule}
            checked={gives(chosen, rule)}
            implied={gives(chosen, rule) && !chosen.includes(rule)}
            onChange={(on) => onToggle([rule], on)}
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate">{title}</span>
              <span className="block truncate font-mono text-xs text-muted">{rule}</span>
            </span>
          </Tick>
        ))}
      </div>
    </div>
  );
}
