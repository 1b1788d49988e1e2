/** Requests about what the assistant is told for later: memories, skills, documents, facts. */

import { queryOptions } from "@tanstack/react-query";
import { api, given, take } from "./client";
import { wholeQuery } from "./paging";
import type {
  CorrectionDraft,
  DocumentDraft,
  MemoryChange,
  MemoryDraft,
  SkillChange,
  SkillDraft,
} from "./types";

export const MEMORIES = ["memories"] as const;
export const SKILLS = ["skills"] as const;
export const DOCUMENTS = ["documents"] as const;
export const CORRECTIONS = ["corrections"] as const;
export const BUSINESS = ["business-context"] as const;

const CHOICES_MS = 60_000;

export const memoriesQuery = (q: string) =>
  wholeQuery([...MEMORIES, { q }], async (paging) =>
    take(await api.GET("/api/memories", { params: { query: { ...paging, ...given({ q }) } } })),
  );

export async function addMemory(body: MemoryDraft) {
  return take(await api.POST("/api/memories", { body }));
}

export async function changeMemory(memoryId: string, body: MemoryChange) {
  return take(
    await api.PATCH("/api/memories/{memoryId}", { params: { path: { memoryId } }, body }),
  );
}

export async function deleteMemory(memoryId: string) {
  return take(await api.DELETE("/api/memories/{memoryId}", { params: { path: { memoryId } } }));
}

export const skillsQuery = queryOptions({
  queryKey: SKILLS,
  queryFn: async ({ signal }) => take(await api.GET("/api/skills", { signal })).items,
  staleTime: CHOICES_MS,
});

export async function addSkill(body: SkillDraft) {
  return take(await api.POST("/api/skills", { body }));
}

export async function changeSkill(skillId: string, body: SkillChange) {
  return take(await api.PATCH("/api/skills/{skillId}", { params: { path: { skillId } }, body }));
}

export async function deleteSkill(skillId: string) {
  return take(await api.DELETE("/api/skills/{skillId}", { params: { path: { skillId } } }));
}

export const documentsQuery = (q: string) =>
  wholeQuery([...DOCUMENTS, { q }], async (paging) =>
    take(await api.GET("/api/documents", { params: { query: { ...paging, ...given({ q }) } } })),
  );

export async function readDocument(documentId: string) {
  return take(await api.GET("/api/documents/{documentId}", { params: { path: { documentId } } }));
}

export async function addDocument(body: DocumentDraft) {
  return take(await api.POST("/api/documents", { body }));
}

export async function changeDocument(
  documentId: string,
  body: DocumentDraft & { expectedVersion: number },
) {
  return take(
    await api.PATCH("/api/documents/{documentId}", { params: { path: { documentId } }, body }),
  );
}

export async function deleteDocument(documentId: string) {
  return take(
    await api.DELETE("/api/documents/{documentId}", { params: { path: { documentId } } }),
  );
}

export const correctionsQuery = queryOptions({
  queryKey: CORRECTIONS,
  queryFn: async ({ signal }) => take(await api.GET("/api/corrections", { signal })).items,
});

export async function addCorrection(body: CorrectionDraft) {
  return take(await api.POST("/api/corrections", { body }));
}

export async function removeCorrection(correctionId: string) {
  return take(
    await api.DELETE("/api/corrections/{correctionId}", { params: { path: { correctionId } } }),
  );
}

export const businessQuery = (workspaceId: string | null) =>
  queryOptions({
    queryKey: [...BUSINESS, { workspaceId }],
    queryFn: async ({ signal }) =>
      take(
        await api.GET("/api/business-context", {
          params: { query: given({ workspaceId }) },
          signal,
        }),
      ),
  });

type Facts = Record<string, unknown>;

export async function setFacts(facts: Facts, expectedVersion: number, workspaceId: string | null) {
  return take(
    await api.PUT("/api/business-context", { body: { facts, expectedVersion, workspaceId } }),
  );
}

export async function setOwnFacts(facts: Facts, expectedVersion: number) {
  return take(await api.PUT("/api/business-context/own", { body: { facts, expectedVersion } }));
}
