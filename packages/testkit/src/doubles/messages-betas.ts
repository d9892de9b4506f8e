/** Members that exist only with a beta flag, in requests and in tools. */
const BETA_MEMBERS_OF: { readonly [beta: string]: { readonly request?: string; readonly tool?: string } } = {
  'context-management-2025-06-27': { request: 'context_management' },
  'advanced-tool-use-2025-11-20': { tool: 'defer_loading allowed_callers input_examples' },
}

/** The additional members that the beta flags of a call allow, each after a space. */
export function betaMembers(node: 'request' | 'tool', betas: readonly string[] = []): string {
  return betas.map((beta) => ` ${BETA_MEMBERS_OF[beta]?.[node] ?? ''}`).join('')
}
