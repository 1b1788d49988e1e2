/** Where people tell the assistant things for later. Pure. */

export const KNOWLEDGE_PATH = "/knowledge";
export const MEMORIES_PATH = `${KNOWLEDGE_PATH}/memories`;
export const SKILLS_PATH = `${KNOWLEDGE_PATH}/skills`;
export const DOCUMENTS_PATH = `${KNOWLEDGE_PATH}/documents`;
export const BUSINESS_PATH = `${KNOWLEDGE_PATH}/business-context`;
export const CORRECTIONS_PATH = `${KNOWLEDGE_PATH}/corrections`;

/** Each of them opens one section. */
export const KNOWLEDGE_RULES = [
  "ai.memory.read",
  "ai.skill.read",
  "ai.document.read",
  "ai.context.read",
  "ai.correction.read",
];
