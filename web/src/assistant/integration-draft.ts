/** An integration as it is typed, and as it is sent. Pure. */

import type { Integration, IntegrationChange, IntegrationDraft } from "../api/types";
import { invalidOf, needed } from "../forms/validate";
import { texts } from "../texts";
import { checkPrices, type PriceValues, pricesOf, showPrices } from "./prices";
import { checkWhole, formatWhole, parseWhole } from "./whole-number";

const words = texts.integrations;

export type Family = Integration["family"];
export type ProviderKind = Integration["provider"];

export interface IntegrationValues {
  name: string;
  provider: ProviderKind;
  baseUrl: string;
  key: string;
  defaultModel: string;
  /** One on each line. */
  allowedModels: string;
  family: Family;
  contextWindow: string;
  /** In tokens; nothing for no cap. */
  cap: string;
  /** In which seconds. */
  per: string;
  enabled: boolean;
  classifier: boolean;
  thinking: boolean;
  images: boolean;
  prices: PriceValues[];
  provided: boolean;
}

const DAY = 86_400;

export const NEW_INTEGRATION: IntegrationValues = {
  name: "",
  provider: "openai",
  baseUrl: "",
  key: "",
  defaultModel: "",
  allowedModels: "",
  family: "generic",
  contextWindow: "",
  cap: "",
  per: String(DAY),
  enabled: true,
  classifier: true,
  thinking: false,
  images: false,
  prices: [],
  provided: false,
};

/** Its key is never read, so that field begins empty. */
export function valuesOf(integration: Integration): IntegrationValues {
  const { name, baseUrl, defaultModel, allowedModels, family, contextWindow, cap, enabled } =
    integration;
  return {
    name,
    provider: integration.provider,
    baseUrl,
    key: "",
    defaultModel,
    allowedModels: allowedModels.join("\n"),
    family,
    contextWindow: formatWhole(contextWindow),
    cap: formatWhole(cap?.tokens ?? null),
    per: String(cap?.seconds ?? DAY),
    enabled,
    classifier: integration.classifier,
    thinking: integration.thinking,
    images: integration.images,
    prices: showPrices(integration.prices),
    provided: integration.provided,
  };
}

function linesOf(text: string): string[] {
  return [...new Set(text.split(/[\n,]/u).map((line) => line.trim()))].filter(Boolean);
}

function capOf({ cap, per }: IntegrationValues): IntegrationDraft["cap"] {
  const tokens = parseWhole(cap);
  return tokens === null ? null : { tokens, seconds: Number(per) };
}

/** A key that was not typed is not sent, so that the stored one stays. */
export function draftOf(values: IntegrationValues): IntegrationDraft {
  const { name, baseUrl, key, defaultModel, allowedModels, family, contextWindow, enabled } =
    values;
  return {
    name: name.trim(),
    provider: values.provider,
    baseUrl: baseUrl.trim(),
    ...(key.trim() === "" ? {} : { key: key.trim() }),
    defaultModel: defaultModel.trim(),
    allowedModels: linesOf(allowedModels),
    family,
    contextWindow: parseWhole(contextWindow),
    cap: capOf(values),
    enabled,
    classifier: values.classifier,
    thinking: values.thinking,
    images: values.images,
    prices: pricesOf(values.prices),
    provided: values.provided,
  };
}

export function changeOf(values: IntegrationValues, version: number): IntegrationChange {
  return { ...draftOf(values), expectedVersion: version };
}

export function checkIntegration(values: IntegrationValues) {
  return invalidOf({
    name: needed(values.name),
    baseUrl: needed(values.baseUrl),
    defaultModel: needed(values.defaultModel),
    contextWindow: checkWhole(values.contextWindow),
    cap: checkWhole(values.cap),
    prices: checkPrices(values.prices),
  });
}

/** The usual times, and the one that is stored when it is another. */
export function periodChoices(per: string) {
  const usual = Object.entries(words.periods).map(([value, label]) => ({ value, label }));
  if (usual.some(({ value }) => value === per)) return usual;
  return [...usual, { value: per, label: words.seconds(Number(per)) }];
}

export function describePeriod(seconds: number): string {
  return words.periods[seconds] ?? words.seconds(seconds);
}

export interface Provider {
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  family: Family;
}

/** Where each kind of provider is found; those that are like OpenAI have addresses of their own. */
const ADDRESSES: Record<ProviderKind, string> = {
  openai: "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
  google: "https://generativelanguage.googleapis.com",
  bedrock: "https://bedrock-runtime.us-east-1.amazonaws.com",
};

export const KINDS = Object.keys(ADDRESSES) as ProviderKind[];

/** The address that goes with another kind of provider; one that was typed stays. */
export function addressFor(kind: ProviderKind, present: string): string {
  const known = [...Object.values(ADDRESSES), ...PROVIDERS.map(({ baseUrl }) => baseUrl)];
  return present.trim() === "" || known.includes(present) ? ADDRESSES[kind] : present;
}

/** The models of the large providers take images; of any other server nobody knows. */
export function guessImages(kind: ProviderKind, family: Family): boolean {
  return kind !== "openai" || family !== "generic";
}

/** What people connect most; everything else is typed. */
export const PROVIDERS: readonly Provider[] = [
  { name: "OpenAI", kind: "openai", baseUrl: ADDRESSES.openai, family: "openai" },
  { name: "Anthropic", kind: "anthropic", baseUrl: ADDRESSES.anthropic, family: "anthropic" },
  { name: "Google", kind: "google", baseUrl: ADDRESSES.google, family: "generic" },
  { name: "Bedrock", kind: "bedrock", baseUrl: ADDRESSES.bedrock, family: "generic" },
  {
    name: "OpenRouter",
    kind: "openai",
    baseUrl: "https://openrouter.ai/api/v1",
    family: "generic",
  },
  { name: "Ollama", kind: "openai", baseUrl: "http://127.0.0.1:11434/v1", family: "generic" },
];
