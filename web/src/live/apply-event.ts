/** Brings what was read up to date with what is announced. */

import type { Query, QueryClient } from "@tanstack/react-query";
import {
  CONVERSATION_LIST,
  CONVERSATIONS,
  conversationKey,
  type ListScope,
} from "../api/conversations";
import { isLasting } from "../api/problem";
import { PROPOSALS, proposalKey } from "../api/proposals";
import type { Conversation, ConversationView, Proposal } from "../api/types";
import {
  type ConversationPages,
  patchConversation,
  placeConversation,
  removeConversation,
} from "./conversation-pages";
import type { LiveEvent } from "./event";

type Change = (data: ConversationPages, scope: Partial<ListScope>) => ConversationPages;

function scopeOf({ queryKey }: Query): Partial<ListScope> {
  return (queryKey[CONVERSATION_LIST.length] ?? {}) as Partial<ListScope>;
}

/** A search shows what matched when it was made; a workspace has only its own. */
function takesIn({ search, workspaceId }: Partial<ListScope>, conversation: Conversation): boolean {
  return !search && (!workspaceId || workspaceId === conversation.workspaceId);
}

/** What is being read at this moment may be from before the change, so it is read once more. */
function changeLists(client: QueryClient, change: Change): void {
  for (const query of client.getQueryCache().findAll({ queryKey: CONVERSATION_LIST })) {
    client.setQueryData<ConversationPages>(
      query.queryKey,
      (data) => data && change(data, scopeOf(query)),
    );
    if (query.state.fetchStatus === "fetching") {
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }
}

/** An announcement is about no search: where its words stand is not in it. */
function withoutSnippet({
  snippet: _,
  messageId: __,
  ...change
}: Conversation): Partial<Conversation> {
  return change;
}

function showConversation(client: QueryClient, conversation: Conversation): void {
  changeLists(client, (data, scope) =>
    takesIn(scope, conversation)
      ? placeConversation(data, conversation)
      : patchConversation(data, conversation.id, withoutSnippet(conversation)),
  );
  client.setQueryData<ConversationView>(
    conversationKey(conversation.id),
    (view) => view && { ...view, ...conversation },
  );
}

export function patchListed(client: QueryClient, id: string, change: Partial<Conversation>): void {
  changeLists(client, (data) => patchConversation(data, id, change));
}

const isAbout = ({ queryKey }: Query, key: readonly unknown[]) =>
  key.every((part, index) => queryKey[index] === part);

/** A receipt tells how the card stands that takes its change back. */
function tellsOf({ state }: Query, proposalId: string): boolean {
  const card = state.data as Proposal | undefined;
  return card?.undo?.proposalId === proposalId;
}

/** Cards other than this one stand as they stood; chats are told about by themselves. */
function isUntouched(query: Query, proposalId: string): boolean {
  if (isAbout(query, CONVERSATIONS)) return true;
  if (!isAbout(query, [...PROPOSALS, "one"])) return false;
  return !isAbout(query, proposalKey(proposalId)) && !tellsOf(query, proposalId);
}

/** What was applied may show on any page, so everything is read again that is looked at. */
export function readAgainAbout(client: QueryClient, proposalId: string, applied: boolean): void {
  void client.invalidateQueries({
    queryKey: applied ? [] : PROPOSALS,
    predicate: (query) => !isUntouched(query, proposalId),
  });
}

type Apply = { [Type in LiveEvent["type"]]: (client: QueryClient, event: EventOf<Type>) => void };
type EventOf<Type> = Extract<LiveEvent, { type: Type }>;

/** The server is there again, so what it failed to give is asked for once more. */
function readAgainWhatFailed(client: QueryClient): void {
  void client.refetchQueries({
    type: "active",
    predicate: ({ state: { status, error } }) => status === "error" && !isLasting(error),
  });
}

const APPLY: Apply = {
  hello: (client) => {
    void client.invalidateQueries({ queryKey: CONVERSATION_LIST });
    void client.invalidateQueries({ queryKey: PROPOSALS });
    readAgainWhatFailed(client);
  },
  "conversation.changed": (client, { conversation }) => showConversation(client, conversation),
  "conversation.removed": (client, { conversationId }) =>
    changeLists(client, (data) => removeConversation(data, conversationId)),
  "proposal.changed": (client, { proposalId, state }) =>
    readAgainAbout(client, proposalId, state === "applied"),
};

export function applyEvent<Type extends LiveEvent["type"]>(
  client: QueryClient,
  event: EventOf<Type> & { type: Type },
): void {
  APPLY[event.type](client, event);
}
