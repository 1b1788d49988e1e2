/**
 * The names under which the pages know the values of the HTTP contract.
 *
 * `schema.d.ts` is made from the server's OpenAPI document by `npm run generate -- <file>`;
 * nothing but this file imports it.
 */

import type { components, paths } from "./schema";

export type { paths };

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Named = Schemas["NamedThing"];
export type Session = Schemas["Session"];
export type Application = Schemas["Application"];
export type ApplicationKey = Schemas["ApplicationKey"];
export type CreatedKey = Schemas["NewKey"];
export type Consent = Schemas["Consent"];
export type ConsentScope = Consent["scopes"][number];
export type ConsentRequest = BodyOf<"/api/oauth/consent", "post">;
export type Connection = Schemas["Connection"];
export type User = Schemas["User"];
export type Membership = Schemas["Membership"];
export type PersonLink = Schemas["PasswordLink"];
export type Rule = Schemas["KnownRule"];
export type Role = Schemas["Role"];
export type Team = Schemas["Team"];
export type Workspace = Schemas["Workspace"];
export type Grant = Schemas["Grant"];
export type GrantLevel = Grant["level"];
export type SubjectKind = Grant["subject"]["kind"];
export type Page = Schemas["PageLink"];
export type System = Schemas["System"];
export type Group = Schemas["Group"];
export type Environment = Schemas["Environment"];
export type Dependency = Schemas["Dependency"];
export type Strength = Dependency["strength"];
export type Check = Schemas["Check"];
export type CheckStatus = Check["status"];
export type KeptSecret = Schemas["KeptSecret"];
export type CheckRun = Schemas["Run"];
export type RunStats = Schemas["RunStats"];
export type Capability = Schemas["Capability"];
export type CapabilitySchema = Schemas["CapabilitySchema"];
export type ResultField = Schemas["FieldSchema"];
export type Assertion = Schemas["Assertion"];
export type Collector = Schemas["CollectorDraft"];
export type ScriptOutcome = Schemas["ScriptOutcome"];
export type ScriptSurroundings = Schemas["ScriptSurroundings"];
export type ScriptContextName = ScriptSurroundings["context"];
export type Objective = Schemas["Objective"];
export type BudgetState = Objective["budget"]["state"];
export type Anomaly = Schemas["Anomaly"];

type BodyOf<Path extends keyof paths, Method extends "post" | "patch"> =
  paths[Path] extends Record<
    Method,
    { requestBody?: { content: { "application/json": infer Body } } }
  >
    ? Body
    : never;

export type TimelineUpdate = Schemas["Update"];
export type TimelineLink = Schemas["Link"];
export type Delivery = Schemas["Delivery"];
export type Incident = Schemas["Incident"];
export type IncidentDetail = Schemas["IncidentDetail"];
export type IncidentSeverity = Incident["severity"];
export type IncidentStatus = Incident["status"];
export type IncidentDraft = BodyOf<"/api/p/incident/incidents", "post">;
export type IncidentChange = BodyOf<"/api/p/incident/incidents/{incidentId}", "patch">;
export type IncidentSaid = BodyOf<"/api/p/incident/incidents/{incidentId}/updates", "post">;
export type MaintenanceWindow = Schemas["Window"];
export type WindowDetail = Schemas["WindowDetail"];
export type WindowStatus = MaintenanceWindow["status"];
export type WindowDraft = BodyOf<"/api/p/maintenance/windows", "post">;
export type WindowChange = BodyOf<"/api/p/maintenance/windows/{windowId}", "patch">;
export type WindowSaid = BodyOf<"/api/p/maintenance/windows/{windowId}/updates", "post">;

/** How the lists of both are narrowed; what is `null` is not asked for. */
interface SubjectFilter {
  workspaceId: string | null;
  q: string;
  open: boolean | null;
}
export interface IncidentFilter extends SubjectFilter {
  status: IncidentStatus | null;
  severity: IncidentSeverity | null;
}
export interface WindowFilter extends SubjectFilter {
  status: WindowStatus | null;
}

export type Proposal = Schemas["ProposalCard"];
export type ProposalLine = Schemas["ProposalLine"];
export type HoldingRule = Schemas["HoldingRule"];
export type ApprovalRule = Schemas["StoredRule"];
export type ApprovalDraft = Omit<ApprovalRule, "id" | "version" | "people">;
export type FieldChange = Schemas["FieldDifference"];
export type AuditEntry = Schemas["AuditEntry"];
export type AuditFinding = Schemas["FoundFault"];
export type AuditSeal = Schemas["AuditStatus"];
export type VerifiedStretch = Schemas["VerifiedStretch"];
export type ProposalState = ProposalLine["state"];
export type Effect = ProposalLine["effect"];
type AuditQuery = NonNullable<paths["/api/audit"]["get"]["parameters"]["query"]>;
export type AuditEdge = NonNullable<AuditQuery["edge"]>;
export type AuditStatus = NonNullable<AuditQuery["status"]>;
export type Outcome = "applied" | "failed";

export type Standing = Schemas["ConversationView"]["status"];
/** A chat as the list has it. */
export type Conversation = Schemas["ConversationLine"];
export type ConversationView = Schemas["ConversationView"];
export type Mode = Conversation["mode"];
export type MessagePage = Schemas["MessagePage"];
export type StoredMessage = Schemas["ShownMessage"];
export type MessageVersion = Schemas["ShownVersion"];
export type StoredFile = Schemas["StoredFile"];
export type Feedback = Schemas["Feedback"];
export type IntegrationChoice = Schemas["IntegrationChoice"];
export type AgentChoice = Schemas["AgentChoice"];
export type UsageSums = Schemas["Sums"];
export type UsageLine = Schemas["UsageLine"];
type UsageQuery = NonNullable<paths["/api/usage"]["get"]["parameters"]["query"]>;
export type UsageGroup = NonNullable<UsageQuery["groupBy"]>;
export type ModelCall = Schemas["ModelCall"];
export type CreditsNow = Schemas["CreditsNow"];
export type Allowance = Schemas["Allowance"];
export type AllowanceChange =
  paths["/api/admin/credits"]["put"]["requestBody"]["content"]["application/json"];
export type Webhook = Schemas["Webhook"];
export type WebhookChange =
  paths["/api/admin/webhook"]["put"]["requestBody"]["content"]["application/json"];
export type Integration = Schemas["Integration"];
export type Agent = Schemas["AgentProfile"];
export type Tested = Schemas["Tested"];
export type Tool = Schemas["OfferedTool"];
export type IntegrationDraft = Omit<Integration, "id" | "hasKey" | "version"> & {
  key?: string;
};
export type IntegrationChange = Partial<IntegrationDraft> & { expectedVersion?: number };
export type AgentDraft = Omit<Agent, "id" | "version">;
export type AgentChange = Partial<Omit<AgentDraft, "slug">> & { expectedVersion?: number };

export type Destination = Schemas["Destination"];
export type DestinationDraft = Pick<Destination, "origin" | "tool" | "note">;

export type GrantDraft = Pick<Grant, "resourceKind" | "resourceId" | "level"> & {
  subject: { kind: SubjectKind; id: string };
};
export type SystemDraft = Pick<System, "name" | "description" | "groupIds" | "environmentIds">;
export type GroupDraft = Pick<Group, "name" | "description" | "systemIds">;
export type EnvironmentDraft = Pick<Environment, "name" | "description">;

export interface List<Item> {
  items: Item[];
  nextCursor?: string | null;
}

export type Memory = Schemas["Memory"];
export type MemoryDraft = Pick<Memory, "text" | "hint" | "alwaysApply" | "reach" | "systemId">;
export type MemoryChange = Pick<Memory, "text" | "hint" | "alwaysApply"> & {
  expectedVersion: number;
};
export type Skill = Schemas["Skill"];
type SkillTexts = Pick<Skill, "name" | "description" | "prompt" | "starter">;
export type SkillDraft = SkillTexts & { reach: "personal" | "shared" };
export type SkillChange = SkillTexts & { expectedVersion: number };
export type OwnDocument = Schemas["Document"];
export type DocumentLine = Schemas["DocumentSummary"];
export type DocumentDraft = Pick<OwnDocument, "title" | "section" | "text">;
export type Correction = Schemas["Correction"];
export type CorrectionDraft = Pick<Correction, "text" | "kind">;
export type BusinessContext = Schemas["BusinessContext"];
export type LevelFacts = Schemas["LevelFacts"];
