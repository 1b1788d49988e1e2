/** A user agent as people would call it. Pure. */

import { texts } from "../texts";

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//u, "Edge"],
  [/\bOPR\//u, "Opera"],
  [/\b(?:Firefox|FxiOS)\//u, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//u, "Chrome"],
  [/\bSafari\//u, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad)\b/u, "iOS"],
  [/\bAndroid\b/u, "Android"],
  [/\bWindows\b/u, "Windows"],
  [/\bMac OS X\b/u, "macOS"],
  [/\bCrOS\b/u, "ChromeOS"],
  [/\bLinux\b/u, "Linux"],
];

function find(agent: string, table: readonly [RegExp, string][]): string | null {
  return table.find(([pattern]) => pattern.test(agent))?.[1] ?? null;
}

export function describeDevice(agent: string): string {
  if (agent === "") return texts.sessions.unknownDevice;
  const browser = find(agent, BROWSERS);
  const system = find(agent, SYSTEMS);
  if (browser !== null && system !== null) return texts.sessions.on(browser, system);
  return browser ?? system ?? agent.slice(0, 40);
}

export function isHandheld(agent: string): boolean {
  return /\b(?:iPhone|iPad|Android|Mobile)\b/u.test(agent);
}
