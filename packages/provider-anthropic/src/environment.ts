import type { EnvironmentNames } from '@dragoman/core/provider'

/** The variables that enable this provider. The only place that names them: apps read it without loading cards and quirks. */
export const variablesOf = {
  anthropic: { keys: 'ANTHROPIC_API_KEY', baseURL: 'ANTHROPIC_BASE_URL' },
} as const satisfies { readonly [provider: string]: EnvironmentNames }
