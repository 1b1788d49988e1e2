/**
 * The HTTP contract as types, written by hand until `npm run generate` makes `schema.d.ts`.
 *
 * Everything else imports from here. To swap: re-export `paths` from `./schema` and turn the
 * interfaces below into aliases of `components["schemas"][…]`.
 */

export interface Named {
  id: string;
  slug: string;
  name: string;
}

export interface Me {
  id: string;
  name: string;
  email: string;
  hasPassword: boolean;
  tenant: Named;
  workspaces: Named[];
  teams: Named[];
  rules: string[];
  workspaceRules: Record<string, string[]>;
}

export interface SignInMethods {
  password: boolean;
  oidc: { label: string } | null;
}

export interface Session {
  id: string;
  current: boolean;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  userAgent: string | null;
  address: string | null;
}

export interface ApplicationKey {
  id: string;
  hint: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export interface Application {
  id: string;
  name: string;
  rules: string[];
  owner: { id: string; name: string };
  createdAt: string;
  keys: ApplicationKey[];
}

export interface CreatedKey {
  id: string;
  key: string;
  hint: string;
  expiresAt: string | null;
}

export interface Membership {
  roleId: string;
  workspaceId: string | null;
}

export interface User {
  id: string;
  name: string;
  email: string;
  active: boolean;
  hasPassword: boolean;
  createdAt: string;
  lastSeenAt: string | null;
  memberships: Membership[];
}

export interface PersonLink {
  link: string;
  linkExpiresAt: string;
}

export interface Rule {
  rule: string;
  title: string;
  plugin: string;
}

export interface Role extends Named {
  rules: string[];
  builtIn: boolean;
  members: number;
}

export interface Workspace extends Named {
  createdAt: string;
}

export interface Team extends Named {
  memberIds: string[];
}

export type SubjectKind = "team" | "user";
export type GrantLevel = "read" | "manage" | "own";

export interface Grant {
  id: string;
  resourceKind: string;
  resourceId: string;
  subject: { kind: SubjectKind; id: string; name: string };
  level: GrantLevel;
}

export interface GrantDraft {
  resourceKind: string;
  resourceId: string;
  subject: { kind: SubjectKind; id: string };
  level: GrantLevel;
}

export interface Page {
  plugin: string;
  slug: string;
  title: string;
  icon: string;
  module: string | null;
}

interface Entry {
  id: string;
  workspaceId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

export interface System extends Entry {
  name: string;
  description: string;
  groupIds: string[];
  environmentIds: string[];
}

export interface Group extends Entry {
  name: string;
  description: string;
  systemIds: string[];
}

export interface Environment extends Entry {
  name: string;
  description: string;
}

export type Strength = "hard" | "soft";

export interface Dependency extends Entry {
  systemId: string;
  dependsOnId: string;
  strength: Strength;
  note: string;
}

export interface List<Item> {
  items: Item[];
  nextCursor: string | null;
}

interface Paging {
  cursor?: string;
  limit?: number;
}

interface Answer<Status extends number, Body> {
  responses: Record<Status, { content: { "application/json": Body } }>;
}

interface NoContent {
  responses: { 204: { content?: never } };
}

interface Takes<Body> {
  requestBody: { content: { "application/json": Body } };
}

interface Query<Parameters> {
  parameters: { query?: Parameters };
}

interface ById {
  parameters: { path: { id: string } };
}

interface Collection<Item, Draft, Filter = object> {
  get: Answer<200, List<Item>> & Query<Filter & Paging>;
  post: Answer<201, Item> & Takes<Draft>;
}

interface Member<Item, Change> {
  get: Answer<200, Item> & ById;
  patch: Answer<200, Item> & ById & Takes<Change>;
  delete: NoContent & ById;
}

type Changed<Draft> = Partial<Draft> & { expectedVersion?: number };

export interface SystemDraft {
  name: string;
  description: string;
  groupIds: string[];
  environmentIds: string[];
}

export interface GroupDraft {
  name: string;
  description: string;
  systemIds: string[];
}

export interface EnvironmentDraft {
  name: string;
  description: string;
}

type Placed<Draft> = Draft & { workspaceId: string };
type Search = { workspaceId?: string; q?: string };

export interface paths {
  "/api/auth/methods": { get: Answer<200, SignInMethods> };
  "/api/auth/login": { post: Answer<200, Me> & Takes<{ email: string; password: string }> };
  "/api/auth/reset": { post: Answer<200, Me> & Takes<{ token: string; password: string }> };
  "/api/auth/logout": { post: NoContent };
  "/api/me": { get: Answer<200, Me>; patch: Answer<200, Me> & Takes<{ name: string }> };
  "/api/me/password": {
    put: NoContent & Takes<{ currentPassword: string | null; newPassword: string }>;
  };
  "/api/sessions": { get: Answer<200, List<Session>> & Query<Paging> };
  "/api/sessions/{id}": { delete: NoContent & ById };
  "/api/sessions/revoke-others": { post: Answer<200, { revoked: number }> };
  "/api/applications": Collection<Application, { name: string; rules: string[] }>;
  "/api/applications/{id}": { delete: NoContent & ById };
  "/api/applications/{id}/keys": {
    post: Answer<201, CreatedKey> & ById & Takes<{ expiresInDays: number | null }>;
  };
  "/api/applications/{id}/keys/{keyId}": {
    delete: NoContent & { parameters: { path: { id: string; keyId: string } } };
  };
  "/api/users": {
    get: Answer<200, List<User>> & Query<Paging & { q?: string }>;
    post: Answer<201, PersonLink & { user: User }> &
      Takes<{ email: string; name: string; memberships: Membership[] }>;
  };
  "/api/users/{id}": {
    get: Answer<200, User> & ById;
    patch: Answer<200, User> &
      ById &
      Takes<{ name?: string; active?: boolean; memberships?: Membership[] }>;
  };
  "/api/users/{id}/reset-link": { post: Answer<200, PersonLink> & ById };
  "/api/rules": { get: Answer<200, List<Rule>> };
  "/api/roles": Collection<Role, { slug: string; name: string; rules: string[] }>;
  "/api/roles/{id}": Member<Role, { name?: string; rules?: string[] }>;
  "/api/workspaces": Collection<Workspace, { slug: string; name: string }>;
  "/api/workspaces/{id}": Member<Workspace, { name: string }>;
  "/api/teams": Collection<Team, { slug: string; name: string; memberIds: string[] }>;
  "/api/teams/{id}": Member<Team, { name?: string; memberIds?: string[] }>;
  "/api/grants": {
    get: Answer<200, List<Grant>> & Query<{ resourceKind: string; resourceId: string } & Paging>;
    put: Answer<200, Grant> & Takes<GrantDraft>;
  };
  "/api/grants/{id}": { delete: NoContent & ById };
  "/api/pages": { get: Answer<200, List<Page>> };
  "/api/p/catalog/systems": Collection<
    System,
    Placed<SystemDraft>,
    Search & { groupId?: string; environmentId?: string }
  >;
  "/api/p/catalog/systems/{id}": Member<System, Changed<SystemDraft>>;
  "/api/p/catalog/groups": Collection<Group, Placed<GroupDraft>, Search>;
  "/api/p/catalog/groups/{id}": Member<Group, Changed<GroupDraft>>;
  "/api/p/catalog/environments": Collection<Environment, Placed<EnvironmentDraft>, Search>;
  "/api/p/catalog/environments/{id}": Member<Environment, Changed<EnvironmentDraft>>;
  "/api/p/catalog/dependencies": Collection<
    Dependency,
    { systemId: string; dependsOnId: string; strength: Strength; note: string },
    { workspaceId?: string; systemId?: string }
  >;
  "/api/p/catalog/dependencies/{id}": Member<
    Dependency,
    Changed<{ strength: Strength; note: string }>
  >;
}
