/**
 * What pages about something with a timeline ask of its plugin's routes.
 *
 * Incidents and maintenance windows each have their own; the components beside this file take these.
 */

import type { QueryKey } from "@tanstack/react-query";
import type { Delivery, TimelineLink, TimelineUpdate } from "../../api/types";

export interface Subject {
  id: string;
  workspaceId: string;
  title: string;
  description: string;
  systemIds: string[];
  version: number;
}

export interface SubjectDetail extends Subject {
  updates: TimelineUpdate[];
  links: TimelineLink[];
  deliveries: Delivery[];
}

export interface Said {
  text: string;
  notify: boolean;
}

export interface LinkDraft {
  label: string;
  url: string;
}

export interface TimelineRequests {
  /** Of everything that the plugin's pages read. */
  key: QueryKey;
  /** As in rules and grants: `incident.incident`. */
  resource: string;
  path: string;
  deleteUpdate: (id: string, updateId: string) => Promise<unknown>;
  addLink: (id: string, link: LinkDraft) => Promise<unknown>;
  removeLink: (id: string, linkId: string) => Promise<unknown>;
  deleteSubject: (id: string) => Promise<unknown>;
  readAddress: (workspaceId: string, signal: AbortSignal) => Promise<string | null>;
  setAddress: (workspaceId: string, url: string | null) => Promise<unknown>;
}

export const addressQuery = ({ key, readAddress }: TimelineRequests, workspaceId: string) => ({
  queryKey: [...key, "address", workspaceId],
  queryFn: ({ signal }: { signal: AbortSignal }) => readAddress(workspaceId, signal),
});

const SENDING_MS = 4_000;

/** How soon to look again: only while something waits to be sent. */
export function pauseWhileSending(deliveries: readonly Delivery[] = []): number | false {
  return deliveries.some(({ state }) => state === "waiting") ? SENDING_MS : false;
}
