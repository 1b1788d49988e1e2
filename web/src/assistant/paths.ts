/** Where agents and models are set up. Pure. */

export const ASSISTANT_PATH = "/assistant";
export const INTEGRATIONS_PATH = `${ASSISTANT_PATH}/integrations`;
export const DESTINATIONS_PATH = `${ASSISTANT_PATH}/destinations`;
export const CREDITS_PATH = `${ASSISTANT_PATH}/credits`;
export const WEBHOOK_PATH = `${ASSISTANT_PATH}/webhook`;
export const AGENTS_PATH = `${ASSISTANT_PATH}/agents`;
export const APPROVALS_PATH = `${ASSISTANT_PATH}/approvals`;
