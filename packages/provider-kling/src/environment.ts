import type { EnvironmentNames } from '@dragoman/core/provider'

/** The variables that enable this provider. The only place that names them: apps read it without loading cards and drivers. */
export const variablesOf = {
  kling: { keys: 'KLING_API_KEY', baseURL: 'KLING_BASE_URL' },
} as const satisfies { readonly [provider: string]: EnvironmentNames }
