/**
 * Tells the schema library not to try whether it may make code from text: it may not, and each try
 * would be noted as a breach of the policy. It reads this when it is first loaded.
 */

Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
