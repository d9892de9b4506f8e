import type { EnvironmentNames } from '@dragoman/core/provider'

/** The variables that enable this provider. The only place that names them: apps read it without loading cards and quirks. */
export const variablesOf = {
  openai: { keys: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL' },
} as const satisfies { readonly [provider: string]: EnvironmentNames }
