/** Failures in plain words, and failures of a form sorted by field. Pure. */

import { texts } from "../texts";
import { Problem, UNREACHABLE } from "./problem";

export function describeFailure(error: unknown): string {
  if (!(error instanceof Problem)) return texts.states.crashedTitle;
  return error.code === UNREACHABLE ? texts.states.unreachable : error.detail;
}

export interface FormErrors {
  /** The first message for each field, by the field's name. */
  fields: Record<string, string>;
  /** What belongs to no field of the form. */
  general: string | null;
}

export const NO_ERRORS: FormErrors = { fields: {}, general: null };

/** `body.memberships.0.roleId`, `/memberships/0` and `memberships[0]` are all about `memberships`. */
function fieldOf(path: string): string {
  const segments = path.split(/[./[\]]+/u).filter((segment) => segment !== "");
  return (segments[0] === "body" ? segments[1] : segments[0]) ?? "";
}

export function sortFailure(error: unknown, fieldNames: readonly string[]): FormErrors {
  if (!(error instanceof Problem) || error.issues.length === 0) {
    return { fields: {}, general: describeFailure(error) };
  }
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const issue of error.issues) {
    const field = fieldOf(issue.path);
    if (fieldNames.includes(field)) fields[field] ??= issue.message;
    else others.push(issue.path === "" ? issue.message : `${issue.path}: ${issue.message}`);
  }
  return { fields, general: others.length > 0 ? others.join(" ") : null };
}
