/** What a program asks for, as the server would tell it. */

import type { Consent, ConsentScope } from "../../src/api/types";

export function scope(rule: string, held = true): ConsentScope {
  const [, resource, action] = rule.split(".");
  return { rule, title: `${action === "read" ? "See" : "Change"} ${resource}s`, held };
}

export const MANY = [
  "catalog.system.read",
  "catalog.system.manage",
  "catalog.group.read",
  "incident.incident.read",
  "incident.incident.manage",
  "identity.user.read",
  "identity.user.manage",
  "audit.entry.read",
].map((rule) => scope(rule));

export function makeConsent(fields: Partial<Consent> = {}): Consent {
  return {
    clientName: "Claude",
    clientHost: "claude.ai",
    clientUri: null,
    registeredBy: "document",
    redirectHost: "claude.ai",
    isLoopback: false,
    scopes: MANY,
    knownSince: null,
    alreadyAllowed: [],
    ...fields,
  };
}
