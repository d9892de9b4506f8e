type Node = 'request' | 'tool' | 'system-turn'

/** Members that exist only with a beta flag, in requests, in tools and in instructions in the middle of a conversation. */
const BETA_MEMBERS_OF: { readonly [beta: string]: { readonly [node in Node]?: string } } = {
  'context-management-2025-06-27': { request: 'context_management' },
  'per-turn-control-2026-07-01': { 'system-turn': 'output_config clear_at' },
  'advanced-tool-use-2025-11-20': { tool: 'defer_loading allowed_callers input_examples' },
}

/** The additional members that the beta flags of a call allow, each after a space. */
export function betaMembers(node: Node, betas: readonly string[] = []): string {
  return betas.map((beta) => ` ${BETA_MEMBERS_OF[beta]?.[node] ?? ''}`).join('')
}
